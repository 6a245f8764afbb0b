import { axis, chartFigure, missing, replaceFigures, tooltip } from '../chart';
import type { Curves, HeatMap, ReportDocument, Scenario, Timeline } from '../document';
import { choice, h, section } from '../dom';
import { count, figure, seconds, tick } from '../format';
import { overlay, spans, told } from './marks';
import { panels } from './panels';

/** One measurement over its window: throughput, latencies, and what server and machine did meanwhile. */
export function overTime(report: ReportDocument): HTMLElement | null {
  const measured = report.scenarios.filter(scenario => scenario.timeline !== undefined);
  if (measured.length === 0) return null;

  const place = h('div');
  const names = measured.map(scenario => (report.runs.length > 1 ? `${scenario.name} (${scenario.run})` : scenario.name));
  const longest = measured.reduce((most, scenario, index) => (scenario.operations > measured[most]!.operations ? index : most), 0);
  const order = [longest, ...measured.keys().filter(index => index !== longest)];
  return section(
    'over-time',
    'Over time',
    'Seconds count from the start of the measured window.',
    h(
      'div',
      { class: 'choices' },
      choice(
        'Measurement',
        order.map(index => ({ value: `${index}`, text: names[index]! })),
        value => replaceFigures(place, ...figures(measured[Number(value)]!)),
      ),
    ),
    place,
  );
}

const figures = (scenario: Scenario): HTMLElement[] => [
  timeline(scenario, scenario.timeline!),
  scenario.heatMap ? heatMap(scenario.heatMap) : missing('Heat map.', scenario.heatMapMissing ?? 'Nothing completed.'),
  scenario.curves ? curves(scenario, scenario.curves) : missing('Server and machine.', scenario.curvesMissing!),
];

function timeline(scenario: Scenario, line: Timeline): HTMLElement {
  const marks = told(scenario.marks);
  const end = scenario.durationMs / 1000;
  const last = Math.max(end, ...spans(scenario.marks).map(mark => mark.toSeconds!));
  return chartFigure({
    title: 'Throughput and p99.',
    summary:
      `Completions of each ${seconds(line.intervalSeconds)}. ` + (marks === '' ? 'No phase, fault or event to mark.' : `Marked: ${marks}.`),
    height: 380,
    option: colours => ({
      axisPointer: { link: [{ xAxisIndex: 'all' }] },
      tooltip: { ...tooltip(colours), trigger: 'axis', valueFormatter: value => figure(value as number | null) },
      grid: [
        { left: 64, right: 24, top: 44, height: 160 },
        { left: 64, right: 24, top: 244, height: 90 },
      ],
      xAxis: [0, 1].map(index =>
        axis(colours, index === 1 ? 's' : '', {
          type: 'value',
          gridIndex: index,
          min: 0,
          max: last,
          nameLocation: 'middle',
          nameGap: 26,
          axisLabel: { show: index === 1, showMaxLabel: false, color: colours.quiet, formatter: tick },
          splitLine: { show: false },
        }),
      ) as object[],
      yAxis: [
        axis(colours, 'operations/s', {
          type: 'value',
          gridIndex: 0,
          nameGap: 26,
          axisLabel: { color: colours.quiet, formatter: tick },
          nameTextStyle: { color: colours.quiet, align: 'left' },
        }),
        axis(colours, 'p99 ms', {
          type: 'value',
          gridIndex: 1,
          splitNumber: 2,
          axisLabel: { color: colours.quiet, formatter: tick },
          nameTextStyle: { color: colours.quiet, align: 'left' },
        }),
      ] as object[],
      series: [
        {
          type: 'line',
          step: 'end',
          name: 'operations/s',
          showSymbol: false,
          areaStyle: { opacity: 0.12 },
          data: closed(line, line.perSecond, end),
          ...overlay(colours, scenario.marks, last, true),
        },
        {
          type: 'line',
          step: 'end',
          name: 'p99 ms',
          xAxisIndex: 1,
          yAxisIndex: 1,
          showSymbol: false,
          data: closed(line, line.p99Ms, end),
          ...overlay(colours, scenario.marks, last, false),
        },
      ],
    }),
    table: () => ({
      caption: `Throughput and p99 of ${scenario.name}`,
      columns: [{ name: 'From s' }, { name: 'Operations/s' }, { name: 'P99 ms' }],
      rows: line.seconds.map((from, index) => [figure(from), figure(line.perSecond[index]), figure(line.p99Ms[index])]),
    }),
  });
}

/** An interval lasts to its end, the last one too. */
const closed = (line: Timeline, values: (number | null)[], end: number): (number | null)[][] => [
  ...line.seconds.map((from, index) => [from, values[index] ?? null]),
  [end, values.at(-1) ?? null],
];

function heatMap(map: HeatMap): HTMLElement {
  const most = Math.max(...map.cells.map(cell => cell[2]));
  return chartFigure({
    title: 'Latency over time.',
    summary:
      `Response times of the completions of each ${seconds(map.intervalSeconds)}: the stronger the colour, the more. ` +
      'A band that rises or splits is what a single percentile hides.',
    height: 360,
    option: colours => ({
      tooltip: {
        ...tooltip(colours, item => {
          const [column, row, operations] = (item as { value: [number, number, number, number] }).value;
          return (
            `${seconds(column * map.intervalSeconds)} to ${seconds((column + 1) * map.intervalSeconds)}, ` +
            `up to ${figure(map.upperMs[row])} ms: ${count(operations)} operations`
          );
        }),
      },
      grid: { left: 64, right: 90, top: 30, bottom: 48 },
      xAxis: axis(colours, 's', {
        type: 'category',
        data: Array.from({ length: map.columns }, (_, index) => tick(index * map.intervalSeconds)),
        nameLocation: 'middle',
        nameGap: 26,
        splitLine: { show: false },
      }) as object,
      yAxis: axis(colours, 'ms, logarithmic', {
        type: 'category',
        data: map.upperMs.map(value => `${+value.toPrecision(2)}`),
        splitLine: { show: false },
        nameTextStyle: { color: colours.quiet, align: 'left' },
        axisLabel: { color: colours.quiet, interval: Math.ceil(map.upperMs.length / 10) },
      }) as object,
      visualMap: {
        type: 'continuous',
        dimension: 3,
        min: 0,
        max: Math.max(Math.log10(most), 0.1),
        calculable: false,
        right: 0,
        top: 'middle',
        itemHeight: 160,
        text: [count(most), '1'],
        textStyle: { color: colours.quiet },
        inRange: { color: colours.heat },
      },
      series: [
        {
          type: 'heatmap',
          data: map.cells.map(([column, row, operations]) => [column, row, operations, Math.log10(operations)]),
          emphasis: { disabled: true },
        },
      ],
    }),
    table: () => ({
      caption: 'Operations by time and latency',
      columns: [{ name: 'From s' }, { name: 'Up to ms' }, { name: 'Operations' }],
      rows: map.cells.map(([column, row, operations]) => [
        figure(column * map.intervalSeconds),
        figure(map.upperMs[row]),
        count(operations),
      ]),
    }),
  });
}

function curves(scenario: Scenario, data: Curves): HTMLElement {
  return panels({
    title: 'Generator, engine, database and machine.',
    summary:
      'One sample a second on one time axis, with a common cursor.' +
      (data.samplesPerPoint > 1 ? ` Each point is of ${data.samplesPerPoint} samples: rates over all of them, states as their mean.` : ''),
    caption: `Samples of ${scenario.name}`,
    data,
    marks: scenario.marks,
    panelHeight: 96,
    withLabels: false,
  });
}
