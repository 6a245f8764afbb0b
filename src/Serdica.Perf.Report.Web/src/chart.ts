import { disclosure, h, tableOf, type Table } from './dom';
import { init, type EChartsOption, type EChartsType } from './echarts';
import { tick } from './format';
import { onThemeChange, printing, theme, type Theme } from './theme';

export interface Chart {
  title: string;
  /** What the chart shows in a sentence, for those who can't see it and for the caption. */
  summary: string;
  /** In pixels, for a drawing of a width. */
  height: number | ((width: number) => number);
  option: (theme: Theme, width: number) => EChartsOption;
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

/** Too narrow for names beside bars. */
export const isNarrow = (width: number): boolean => width < 560;

/** Wide enough for A4 with its margins. */
const paperWidth = 680;

/** Charts are drawn when they come into sight, so that a page of fifty opens as fast as one of five. */
class Drawn {
  private instance: EChartsType | undefined;
  private width = 0;
  private readonly hidden = new Set<string>();

  constructor(
    readonly host: HTMLElement,
    private readonly chart: Chart,
  ) {}

  draw(width = this.host.clientWidth): void {
    this.width = width;
    this.host.style.height = heightOf(this.chart, width);
    this.instance ??= init(this.host, null, { renderer: 'svg' });
    this.instance.resize({ width });
    this.instance.setOption({ ...base(theme()), ...this.chart.option(theme(), width), ...this.selection() }, { notMerge: true });
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

  /** Other widths have other labels. */
  resize(): void {
    if (this.host.clientWidth !== this.width) this.redraw();
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
  drawn.forEach(chart => chart.draw(paperWidth));
});
addEventListener('afterprint', () => {
  printing(false);
  drawn.forEach(chart => chart.redraw());
});

const heightOf = ({ height }: Chart, width: number): string => `${typeof height === 'number' ? height : height(width)}px`;

/** A chart with its caption, and the table of its figures behind it. */
export function chartFigure(chart: Chart): HTMLElement {
  const host = h('div', {
    class: 'chart',
    role: 'img',
    'aria-label': `${chart.title}. ${chart.summary}`,
    style: `height:${heightOf(chart, window.innerWidth)}`,
  });
  const drawing = new Drawn(host, chart);
  drawn.set(host, drawing);
  sight.observe(host);
  sizes.observe(host);
  return h(
    'figure',
    {},
    captionOf(chart.title, chart.summary),
    h('div', { class: 'drawing' }, ...(chart.legends ?? []).map(legend => legendOf(chart, legend, drawing)), host),
    figuresOf(chart.table),
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

export const missing = (title: string, sentence: string, table?: () => Table): HTMLElement =>
  h('figure', { class: 'missing' }, captionOf(title, sentence), ...(table === undefined ? [] : [figuresOf(table)]));

const captionOf = (title: string, sentence: string): HTMLElement =>
  h('figcaption', {}, h('strong', {}, title), ' ', h('span', {}, sentence));

const figuresOf = (table: () => Table): HTMLElement => disclosure('Figures', () => tableOf(table()));

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

interface AxisParts {
  axisLabel?: object;
  axisTick?: object;
  nameTextStyle?: object;
  [key: string]: unknown;
}

export const axis = (colours: Theme, name: string, { axisLabel, axisTick, nameTextStyle, ...extra }: AxisParts = {}) => ({
  name,
  nameTextStyle: { color: colours.quiet, ...nameTextStyle },
  axisLine: { lineStyle: { color: colours.line } },
  axisLabel: { color: colours.quiet, hideOverlap: true, ...axisLabel },
  axisTick: { lineStyle: { color: colours.line }, ...axisTick },
  splitLine: { lineStyle: { color: colours.line, opacity: 0.5 } },
  minorSplitLine: { show: false },
  ...extra,
});

/** An axis of values on the left, whose name begins above it. */
export const upright = (colours: Theme, name: string, { axisLabel, nameTextStyle, ...extra }: AxisParts = {}) =>
  axis(colours, name, {
    type: 'value',
    nameTextStyle: { align: 'left', ...nameTextStyle },
    axisLabel: { formatter: tick, ...axisLabel },
    ...extra,
  });

/** The letters of a name, about, at 11 pixels. */
const nameWidth = (name: string): number => name.length * 6.3;

const mostNameWidth = 360;

/** The height of the labels below an axis. */
const axisLabels = 22;

/** Bars or points with a name each: beside it, or above it on a narrow screen, in two lines where it is too long for one. */
export function named(colours: Theme, names: string[], width: number, { hasAxisName = false, right = 24 } = {}) {
  const { narrow, room, top, foot } = namedRows(names, width, hasAxisName);
  return {
    grid: narrow ? { left: 8, right, top, bottom: foot } : { left: 8, right, top, bottom: foot - axisLabels, containLabel: true },
    yAxis: axis(colours, '', {
      type: 'category',
      inverse: true,
      data: names,
      z: 10,
      axisTick: { show: false },
      axisLabel: {
        color: colours.text,
        fontSize: 11,
        lineHeight: 13,
        interval: 0,
        hideOverlap: false,
        width: room,
        overflow: 'break',
        ...(narrow ? { inside: true, margin: 0, align: 'left', verticalAlign: 'bottom', padding: [0, 0, 10, 0] } : {}),
      },
      splitLine: { show: false },
    }) as object,
  };
}

/** The height of a chart of `named`. */
export const namedHeight = (names: string[], width: number, hasAxisName = false): number => {
  const { row, top, foot } = namedRows(names, width, hasAxisName);
  return top + row * names.length + foot;
};

function namedRows(names: string[], width: number, hasAxisName: boolean) {
  const narrow = isNarrow(width);
  const room = narrow ? width - 40 : mostNameWidth;
  const row = (narrow ? 36 : 24) + (names.some(name => nameWidth(name) > room) ? 13 : 0);
  return { narrow, room, row, top: narrow ? row - 22 : 10, foot: axisLabels + (hasAxisName ? 24 : 4) };
}
