import { axis, chartFigure, seriesColour, tooltip, upright } from '../chart';
import type { Curves, Mark } from '../document';
import { figure, none, tick } from '../format';
import { overlay } from './marks';

const gap = 46;
const [left, right] = [64, 24];

export interface Panels {
  title: string;
  summary: string;
  /** Of the table of figures. */
  caption: string;
  data: Curves;
  marks: Mark[];
  /** Where the axis ends; at the last point when it is not given. */
  end?: number;
  panelHeight: number;
  /** Whether the marks are named in the first panel. */
  withLabels: boolean;
  /** Curves that are no measurement, but what was asked for: drawn with dashes. */
  targets?: string[];
}

/** One tooltip is of all panels, so that each value needs its own unit. A number of things has none. */
const withUnit = (value: number | null | undefined, unit: string): string =>
  value === null || value === undefined ? none : unit === 'number' ? figure(value) : `${figure(value)} ${unit}`;

/** Curves below one another on one axis, with a common cursor. */
export function panels({ title, summary, caption, data, marks, end, panelHeight, withLabels, targets = [] }: Panels): HTMLElement {
  const all = data.panels.flatMap((panel, index) => panel.curves.map((curve, position) => ({ panel, index, curve, position })));
  const top = (index: number) => 28 + index * (panelHeight + gap);
  const max = end ?? data.seconds.at(-1) ?? 1;
  const isTarget = (name: string) => targets.includes(name);
  return chartFigure({
    title,
    summary,
    height: top(data.panels.length) + 10,
    legends: data.panels.map((panel, index) => ({
      title: panel.title,
      top: top(index) - 28,
      series: panel.curves.map((curve, position) => ({
        name: `${panel.title}: ${curve.name}`,
        text: curve.name,
        colour: seriesColour(position),
        dashes: isTarget(curve.name) ? ('dashed' as const) : ('solid' as const),
      })),
    })),
    option: (colours, width) => ({
      axisPointer: { link: [{ xAxisIndex: 'all' }], lineStyle: { color: colours.quiet } },
      tooltip: { ...tooltip(colours), trigger: 'axis' },
      grid: data.panels.map((_, index) => ({ left, right, top: top(index), height: panelHeight })),
      xAxis: data.panels.map((_, index) =>
        axis(colours, index === data.panels.length - 1 ? 'seconds' : '', {
          type: 'value',
          gridIndex: index,
          min: 0,
          max,
          nameLocation: 'middle',
          nameGap: 24,
          splitLine: { show: false },
          axisLabel: { show: index === data.panels.length - 1, showMaxLabel: false, formatter: tick },
        }),
      ) as object[],
      yAxis: data.panels.map((panel, index) =>
        upright(colours, panel.unit === 'number' ? panel.title : `${panel.title}, ${panel.unit}`, {
          gridIndex: index,
          splitNumber: 2,
          nameGap: 8,
          nameTextStyle: { color: colours.text },
        }),
      ) as object[],
      series: all.map(({ panel, index, curve, position }) => ({
        type: 'line',
        name: `${panel.title}: ${curve.name}`,
        tooltip: { valueFormatter: (value: unknown) => withUnit(value as number | null, panel.unit) },
        xAxisIndex: index,
        yAxisIndex: index,
        showSymbol: false,
        lineStyle: { width: 1.5, type: isTarget(curve.name) ? 'dashed' : 'solid' },
        color: colours.series[position % colours.series.length],
        data: data.seconds.map((at, point) => [at, curve.values[point] ?? null]),
        ...(position === 0 ? overlay(colours, marks, max, withLabels && index === 0 ? width - left - right : undefined) : {}),
      })),
    }),
    table: () => ({
      caption,
      columns: [{ name: 's' }, ...all.map(({ panel, curve }) => ({ name: `${panel.title}: ${curve.name}, ${panel.unit}` }))],
      rows: data.seconds.map((at, point) => [
        figure(at),
        ...all.map(({ curve }) => (curve.values[point] === null ? none : figure(curve.values[point]))),
      ]),
    }),
  });
}
