import { disclosure, h, tableOf, type Table } from './dom';
import { init, type EChartsOption, type EChartsType } from './echarts';
import { onThemeChange, printing, theme, type Theme } from './theme';

export interface Chart {
  title: string;
  /** What the chart shows in a sentence, for those who can't see it and for the caption. */
  summary: string;
  height: number;
  option: (theme: Theme) => EChartsOption;
  /** Buttons that show and hide series, for mouse and keyboard alike: what the library draws itself can't be reached by keys. */
  legends?: Legend[];
  /** The figures behind the chart. */
  table: () => Table;
}

export interface Legend {
  /** What the series are of, where there are several legends. */
  title?: string;
  /** Below the upper edge of the chart, to the right; above the chart when it is not given. */
  top?: number;
  series: { name: string; text?: string; colour: string; dashes?: 'solid' | 'dashed' | 'dotted' }[];
}

/** The colour of a series as CSS has it, so that it changes with the theme. */
export const seriesColour = (index: number): string => `var(--series-${(index % 8) + 1})`;

/** Wide enough for A4 with its margins. */
const paperWidth = 680;

/** Charts are drawn when they come into sight, so that a page of fifty opens as fast as one of five. */
class Drawn {
  private instance: EChartsType | undefined;
  private readonly hidden = new Set<string>();

  constructor(
    readonly host: HTMLElement,
    private readonly chart: Chart,
  ) {}

  draw(): void {
    this.instance ??= init(this.host, null, { renderer: 'svg' });
    this.instance.setOption({ ...base(theme()), ...this.chart.option(theme()), ...this.selection() }, { notMerge: true });
    this.host.dataset['drawn'] = 'true';
  }

  show(name: string, isShown: boolean): void {
    if (isShown) this.hidden.delete(name);
    else this.hidden.add(name);
    this.redraw();
  }

  redraw(): void {
    if (this.instance) this.draw();
  }

  resize(width?: number): void {
    this.instance?.resize(width === undefined ? { width: 'auto' } : { width });
  }

  remove(): void {
    this.instance?.dispose();
  }

  /** The library hides series by its own legend, which is not drawn. */
  private selection(): EChartsOption {
    const names = this.chart.legends?.flatMap(legend => legend.series.map(series => series.name)) ?? [];
    return names.length === 0
      ? {}
      : { legend: { show: false, data: names, selected: Object.fromEntries(names.map(name => [name, !this.hidden.has(name)])) } };
  }
}

const drawn = new Map<Element, Drawn>();

const sight = new IntersectionObserver(
  entries => {
    for (const entry of entries) {
      if (entry.isIntersecting) {
        sight.unobserve(entry.target);
        drawn.get(entry.target)?.draw();
      }
    }
  },
  { rootMargin: '300px' },
);

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
  const host = h('div', {
    class: 'chart',
    role: 'img',
    'aria-label': `${chart.title}. ${chart.summary}`,
    style: `height:${chart.height}px`,
  });
  const drawing = new Drawn(host, chart);
  drawn.set(host, drawing);
  sight.observe(host);
  sizes.observe(host);
  return h(
    'figure',
    {},
    h('figcaption', {}, h('strong', {}, chart.title), ' ', h('span', {}, chart.summary)),
    h('div', { class: 'drawing' }, ...(chart.legends ?? []).map(legend => legendOf(chart, legend, drawing)), host),
    disclosure('Figures', () => tableOf(chart.table())),
  );
}

function legendOf(chart: Chart, legend: Legend, drawing: Drawn): HTMLElement {
  return h(
    'div',
    {
      class: legend.top === undefined ? 'legend' : 'legend inside',
      role: 'group',
      style: legend.top === undefined ? undefined : `top:${legend.top}px`,
      'aria-label': `Series of ${legend.title ?? chart.title}`,
    },
    ...legend.series.map(series => {
      const button = h(
        'button',
        { type: 'button', 'aria-pressed': 'true' },
        h('span', { class: 'swatch', 'aria-hidden': 'true', style: `border-top: 3px ${series.dashes ?? 'solid'} ${series.colour}` }),
        series.text ?? series.name,
      );
      button.addEventListener('click', () => {
        const isShown = button.getAttribute('aria-pressed') !== 'true';
        button.setAttribute('aria-pressed', `${isShown}`);
        drawing.show(series.name, isShown);
      });
      return button;
    }),
  );
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

/** What stands in a tooltip: the library would take a string for HTML, so a string becomes a text here. */
export const tooltip = (colours: Theme, content?: (item: unknown) => string | HTMLElement) => ({
  ...(content === undefined ? {} : { formatter: (item: unknown) => asElement(content(item)) }),
  backgroundColor: colours.surface,
  borderColor: colours.line,
  textStyle: { color: colours.text, fontSize: 12 },
  confine: true,
});

const asElement = (content: string | HTMLElement): HTMLElement => (typeof content === 'string' ? h('div', {}, content) : content);

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
