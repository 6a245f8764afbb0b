import echartsNotice from '../../node_modules/echarts/NOTICE?raw';
import zrenderLicence from '../../node_modules/zrender/LICENSE?raw';
import { disclosure, h } from '../dom';

/** What the page is made with, as its licences ask. */
export const about = (): HTMLElement =>
  h(
    'footer',
    {},
    h('p', {}, 'Made by serdica-perf. The page holds all its data and loads nothing.'),
    disclosure('Charts by Apache ECharts, under the Apache License 2.0', () =>
      h(
        'div',
        {},
        h('pre', { tabindex: 0 }, echartsNotice),
        h('p', {}, 'Apache License 2.0: https://www.apache.org/licenses/LICENSE-2.0. ZRender, on which ECharts draws:'),
        h('pre', { tabindex: 0 }, zrenderLicence),
      ),
    ),
  );
