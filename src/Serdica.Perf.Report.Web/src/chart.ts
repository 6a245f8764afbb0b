import { disclosure, h, tableOf, type Table } from './dom';
import { init, type EChartsOption, type EChartsType } from './echarts';
import { onThemeChange, printing, theme, type Theme } from './theme';

export interface Chart {
  title: string;
  /** What the chart shows in a sentence, for those who can't see it and for the caption. */
  summary: string;
  height: number;
  option: (theme: Theme) => EChartsOption;
  /** The figures behind the chart. */
  table: () => Table;
}

/** Wide enough for A4 with its margins. */
const paperWidth = 680;

/** Charts are drawn when they come into sight, so that a page of fifty opens as fast as one of five. */
class Drawn {
  private instance: EChartsType | undefined;

  constructor(readonly host: HTMLElement, private readonly chart: Chart) {}

  draw(): void {
    this.instance ??= init(this.host, null, { renderer: 'svg' });
    this.instance.setOption({ ...base(theme()), ...this.chart.option(theme()) }, { notMerge: true });
    this.host.dataset['drawn'] = 'true';
  }

  redraw(): void {
    if (this.instance)
      this.draw();
  }

  resize(width?: number): void {
    this.instance?.resize(width === undefined ? { width: 'auto' } : { width });
  }

  remove(): void {
    this.instance?.dispose();
  }
}

const drawn = new Map<Element, Drawn>();

const sight = new IntersectionObserver(entries => {
  for (const entry of entries) {
    if (entry.isIntersecting) {
      sight.unobserve(entry.target);
      drawn.get(entry.target)?.draw();
    }
  }
}, { rootMargin: '300px' });

const sizes = new ResizeObserver(entries => entries.forEach(entry => drawn.get(entry.target)?.resize()));

onThemeChange(() => drawn.forEach(chart => chart.redraw()));
addEventListener('beforeprint', () => {
  printing(true);
  drawn.forEach(chart => {
    chart.draw();
    chart.resize(paperWidth);
  });
});
addEventListener('afterprint', () => {
  printing(false);
  drawn.forEach(chart => chart.resize());
});

/** A chart with its caption, and the table of its figures behind it. */
export function chartFigure(chart: Chart): HTMLElement {
  const host = h('div', { class: 'chart', role: 'img', 'aria-label': `${chart.title}. ${chart.summary}`, style: `height:${chart.height}px` });
  drawn.set(host, new Drawn(host, chart));
  sight.observe(host);
  sizes.observe(host);
  return h('figure', {},
    h('figcaption', {}, h('strong', {}, chart.title), ' ', h('span', {}, chart.summary)),
    host,
    disclosure('Figures', () => tableOf(chart.table())));
}

/** Puts other figures in the place of those that are there. */
export function replaceFigures(place: HTMLElement, ...figures: HTMLElement[]): void {
  for (const host of place.querySelectorAll('.chart')) {
    drawn.get(host)?.remove();
    drawn.delete(host);
  }
  place.replaceChildren(...figures);
}

export const missing = (title: string, sentence: string): HTMLElement =>
  h('figure', { class: 'missing' }, h('figcaption', {}, h('strong', {}, title), ' ', h('span', {}, sentence)));

function base(colours: Theme): EChartsOption {
  return {
    animation: false,
    backgroundColor: 'transparent',
    color: colours.series,
    textStyle: { color: colours.text, fontFamily: 'system-ui, sans-serif' },
  };
}

export const tooltip = (colours: Theme) => ({
  backgroundColor: colours.surface,
  borderColor: colours.line,
  textStyle: { color: colours.text, fontSize: 12 },
  confine: true,
});

export const legend = (colours: Theme, extra: object = {}) =>
  ({ type: 'plain' as const, top: 0, left: 0, itemHeight: 8, itemWidth: 18, textStyle: { color: colours.text }, inactiveColor: colours.quiet, ...extra });

export const axis = (colours: Theme, name: string, extra: object = {}) => ({
  name,
  nameTextStyle: { color: colours.quiet },
  axisLine: { lineStyle: { color: colours.line } },
  axisLabel: { color: colours.quiet, hideOverlap: true },
  axisTick: { lineStyle: { color: colours.line } },
  splitLine: { lineStyle: { color: colours.line, opacity: 0.5 } },
  minorSplitLine: { show: false },
  ...extra,
});
