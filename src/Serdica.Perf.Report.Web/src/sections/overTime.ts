import { axis, chartFigure, missing, replaceFigures, tooltip, upright } from '../chart';
import type { Curves, HeatMap, ReportDocument, Scenario, Timeline } from '../document';
import { choice, h, section } from '../dom';
import { count, figure, seconds, tick } from '../format';
import { overlay, spans, told } from './marks';
import { panels } from './panels';

const [left, right] = [64, 24];

/** One measurement over its window: throughput, latencies, and what server and machine did meanwhile. */
export function overTime(report: ReportDocument): HTMLElement | null {
  const recorded = report.scenarios.filter(scenario => scenario.timeline !== undefined);
  if (recorded.length === 0) return null;
  const measured = recorded.filter(scenario => scenario.status !== 'passed' || scenario.throughputPerSecond !== undefined);
  if (measured.length === 0) return section('over-time', 'Over time', 'There are too few operations for curves.');

  const place = h('div');
  const names = measured.map(scenario => (report.runs.length > 1 ? `${scenario.name} (${scenario.run})` : scenario.name));
  const headline = measured.findIndex(scenario => scenario.name === report.answers.speeds[0]?.scenario);
  const longest = measured.reduce((most, scenario, index) => (scenario.operations > measured[most]!.operations ? index : most), 0);
  const first = headline >= 0 ? headline : longest;
  const order = [first, ...measured.keys().filter(index => index !== first)];
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
        value => replaceFigures(place, h('h3', {}, names[Number(value)]!), ...figures(measured[Number(value)]!)),
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
      `Completions in intervals of ${seconds(line.intervalSeconds)}. ` +
      (marks === '' ? 'No phase, fault or event to mark.' : `Marked: ${marks}.`),
    height: 370,
    option: (colours, width) => ({
      axisPointer: { link: [{ xAxisIndex: 'all' }] },
      tooltip: { ...tooltip(colours), trigger: 'axis', valueFormatter: value => figure(value as number | null) },
      grid: [
        { left, right, top: 32, height: 160 },
        { left, right, top: 232, height: 90 },
      ],
      xAxis: [0, 1].map(index =>
        axis(colours, index === 1 ? 'seconds' : '', {
          type: 'value',
          gridIndex: index,
          min: 0,
          max: last,
          nameLocation: 'middle',
          nameGap: 26,
          axisLabel: { show: index === 1, showMaxLabel: false, formatter: tick },
          splitLine: { show: false },
        }),
      ) as object[],
      yAxis: [upright(colours, 'operations/s', { gridIndex: 0 }), upright(colours, 'p99 ms', { gridIndex: 1, splitNumber: 2 })] as object[],
      series: [
        {
          type: 'line',
          step: 'end',
          name: 'operations/s',
          showSymbol: false,
          areaStyle: { opacity: 0.12 },
          data: closed(line, line.perSecond, end),
          ...overlay(colours, scenario.marks, last, width - left - right),
        },
        {
          type: 'line',
          step: 'end',
          name: 'p99 ms',
          xAxisIndex: 1,
          yAxisIndex: 1,
          showSymbol: false,
          data: closed(line, line.p99Ms, end),
          ...overlay(colours, scenario.marks, last),
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
      `Response times of the completions in intervals of ${seconds(map.intervalSeconds)}: the stronger the colour, the more. ` +
      'A band that rises or splits is what a single percentile hides.',
    height: 380,
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
      grid: { left, right, top: 56, bottom: 48 },
      xAxis: axis(colours, 'seconds', {
        type: 'category',
        data: Array.from({ length: map.columns }, (_, index) => tick(index * map.intervalSeconds)),
        nameLocation: 'middle',
        nameGap: 26,
        splitLine: { show: false },
      }) as object,
      yAxis: axis(colours, 'ms, logarithmic', {
        type: 'category',
        data: map.upperMs.map(value => tick(+value.toPrecision(2))),
        splitLine: { show: false },
        nameTextStyle: { align: 'left' },
        axisLabel: { interval: Math.ceil(map.upperMs.length / 10) },
      }) as object,
      visualMap: {
        type: 'continuous',
        dimension: 3,
        min: 0,
        max: Math.max(Math.log10(most), 0.1),
        calculable: false,
        orient: 'horizontal',
        right,
        top: 0,
        itemWidth: 12,
        itemHeight: 100,
        text: [`${count(most)} operation${most === 1 ? '' : 's'}`, '1'],
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
