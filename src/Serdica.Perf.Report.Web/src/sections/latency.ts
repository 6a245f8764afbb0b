import { axis, chartFigure, missing, replaceFigures, seriesColour, tooltip, upright } from '../chart';
import type { Latency, ReportDocument, Scenario } from '../document';
import { choice, h, section, type Table } from '../dom';
import { count, figure, logarithmic, percent, percentile, sentence, tick, words } from '../format';
import { label, preferred, scenarioNames } from './shared';

interface Line {
  name: string;
  latency: Latency;
  /** Its place among the lines of a phase: the same colour in both charts. */
  place: number;
}

const isRecorded = (latency: Latency): boolean => latency.distribution.length > 0;

/** Percentiles and distribution of one scenario, everything that measured it in one chart. */
export function latency(report: ReportDocument): HTMLElement | null {
  const passed = report.scenarios.filter(scenario => scenario.latencies.length > 0);
  const measured = passed.filter(scenario => scenario.latencies.some(isRecorded));
  if (passed.length === 0) return null;
  if (measured.length === 0)
    return section(
      'latency',
      'Latency',
      'There are no raw histograms, so no curves: p50, p95, p99 and maximum are in the table of scenarios.',
    );

  const place = h('div');
  const phasePlace = h('span');
  const show = (name: string) => {
    const same = measured.filter(scenario => scenario.scenario === name);
    const phases = [...new Set(same.flatMap(scenario => scenario.latencies.filter(isRecorded).map(entry => entry.phase)))];
    phasePlace.replaceChildren(
      choice(
        'Latency of',
        phases.map(phase => ({ value: phase, text: words(phase) })),
        phase => replaceFigures(place, h('h3', {}, name), ...figures(report, same, phase)),
      ),
    );
  };
  return section(
    'latency',
    'Latency',
    'The same scenario on every backend, of every run and repeat.',
    h(
      'div',
      { class: 'choices' },
      choice(
        'Scenario',
        preferred(report, scenarioNames(measured)).map(name => ({ value: name, text: name })),
        show,
      ),
      phasePlace,
    ),
    place,
  );
}

function figures(report: ReportDocument, same: Scenario[], phase: string): HTMLElement[] {
  const lines = same
    .flatMap(scenario =>
      scenario.latencies
        .filter(entry => entry.phase === phase && isRecorded(entry))
        .map(entry => ({ name: label(report, scenario), latency: entry })),
    )
    .map((line, place) => ({ ...line, place }));
  return [percentiles(lines, phase), distribution(lines, phase)];
}

function percentiles(all: Line[], phase: string): HTMLElement {
  const lines = all.filter(line => line.latency.percentiles.length > 0);
  const table = () => summaries(all, phase);
  if (lines.length === 0)
    return missing('Percentiles.', 'There are too few operations for a curve; the distribution shows all of them.', table);
  const few = all.length - lines.length;
  const values = lines.flatMap(line => line.latency.percentiles.map(point => point[1])).filter(value => value > 0);
  const isLogarithmic = Math.max(...values) / Math.min(...values) > 50;
  const most = Math.max(...lines.map(line => line.latency.percentiles.at(-1)![0]));
  return chartFigure({
    title: 'Percentiles.',
    summary:
      `${sentence(words(phase))} by percentile, as HdrHistogram draws it: each step to the right is ten times rarer. ` +
      'The curves end at the maximum of all operations.' +
      (few === 0 ? '' : ` Measurements with too few operations for a curve: ${few}.`),
    height: 380,
    legends: [legendOf(lines)],
    option: colours => ({
      grid: { left: 64, right: 24, top: 30, bottom: 48 },
      tooltip: {
        ...tooltip(colours, items =>
          tip(
            items as { seriesName: string; color: string; value: [number, number] }[],
            item => `${percentile(item.value[0])} %`,
            item => `${figure(item.value[1])} ms`,
          ),
        ),
        trigger: 'axis',
      },
      xAxis: axis(colours, 'percentile', {
        type: 'log',
        min: 1,
        max: 10 ** Math.ceil(Math.log10(most) - 1e-9),
        nameLocation: 'middle',
        nameGap: 28,
        axisLabel: { formatter: percentile },
      }) as object,
      yAxis: upright(colours, isLogarithmic ? 'ms, logarithmic' : 'ms', { type: isLogarithmic ? 'log' : 'value' }) as object,
      series: lines.map(line => ({
        type: 'line',
        name: line.name,
        showSymbol: false,
        symbol: symbols[line.place % symbols.length],
        color: colours.series[line.place % colours.series.length],
        lineStyle: { width: 2, type: dashes[line.place % dashes.length] },
        data: line.latency.percentiles.map(([inverse, value]) => [inverse, isLogarithmic ? Math.max(value, 1e-6) : value]),
      })),
    }),
    table,
  });
}

function summaries(lines: Line[], phase: string): Table {
  return {
    caption: `${words(phase)}, milliseconds`,
    columns: [
      { name: 'Measurement', isText: true },
      ...['Count', 'Average', 'Min', 'P50', 'P90', 'P95', 'P99', 'P99.9', 'Max'].map(name => ({ name })),
    ],
    rows: lines.map(({ name, latency: { summary } }) => [
      name,
      count(summary.count),
      ...[summary.averageMs, summary.minMs, summary.p50Ms, summary.p90Ms, summary.p95Ms, summary.p99Ms, summary.p999Ms, summary.maxMs].map(
        figure,
      ),
    ]),
  };
}

function distribution(lines: Line[], phase: string): HTMLElement {
  const ends = lines
    .flatMap(line => [line.latency.distribution[0]!, line.latency.distribution.at(-1)!])
    .flatMap(([low, high]) => [low, high]);
  const { min, max, ticks } = logarithmic(Math.min(...ends.filter(end => end > 0)), Math.max(...ends));
  return chartFigure({
    title: 'Distribution.',
    summary:
      `${sentence(words(phase))} on a logarithmic axis: the share of the operations in each step of one eighth of a doubling, ` +
      'so that equal areas are equally many operations.',
    height: 300,
    legends: [legendOf(lines)],
    option: colours => ({
      grid: { left: 64, right: 24, top: 30, bottom: 48 },
      tooltip: {
        ...tooltip(colours, items =>
          tip(
            items as { seriesName: string; color: string; value: [number, number] }[],
            item => `from ${figure(item.value[0])} ms`,
            item => `${figure(item.value[1])} %`,
          ),
        ),
        trigger: 'axis',
      },
      xAxis: axis(colours, 'ms, logarithmic', {
        type: 'log',
        min,
        max,
        nameLocation: 'middle',
        nameGap: 28,
        axisLabel: { formatter: tick, customValues: ticks },
        axisTick: { customValues: ticks },
      }) as object,
      yAxis: upright(colours, '% of operations') as object,
      series: lines.map((line, index) => ({
        type: 'line',
        step: 'end',
        name: line.name,
        showSymbol: false,
        areaStyle: { opacity: 0.15 },
        lineStyle: { width: 1.5, type: dashes[index % dashes.length] },
        data: steps(line.latency),
      })),
    }),
    table: () => ({
      caption: `Distribution of ${words(phase)}`,
      columns: [{ name: 'Measurement', isText: true }, { name: 'From ms' }, { name: 'To ms' }, { name: 'Operations' }, { name: 'Part' }],
      rows: lines.flatMap(line =>
        line.latency.distribution
          .filter(bucket => bucket[2] > 0)
          .map(bucket => [
            line.name,
            figure(bucket[0]),
            figure(bucket[1]),
            count(bucket[2]),
            percent(bucket[2] / line.latency.summary.count, 2),
          ]),
      ),
    }),
  });
}

/** Crossing lines differ in more than their colour. */
const dashes = ['solid', 'dashed', 'dotted'] as const;
const symbols = ['circle', 'rect', 'triangle', 'diamond'] as const;

const legendOf = (lines: Line[]) => ({
  series: lines.map(({ name, place }) => ({ name, colour: seriesColour(place), dashes: dashes[place % dashes.length]! })),
});

/** Buckets are equally wide within a power of two and so not on the axis: what each holds is shared out over its width there. */
function steps(latency: Latency): [number, number][] {
  const points = latency.distribution.map(([low, high, operations]): [number, number] => {
    const from = low > 0 ? low : high / 2;
    return [from, ((operations / latency.summary.count) * 100) / (8 * Math.log2(high / from))];
  });
  return [...points, [latency.distribution.at(-1)![1], 0]];
}

function tip<T extends { seriesName: string; color: string }>(
  items: T[],
  heading: (item: T) => string,
  value: (item: T) => string,
): HTMLElement {
  const lines = items.map(item =>
    h(
      'div',
      {},
      h('span', {
        'aria-hidden': 'true',
        style: `display: inline-block; width: 10px; height: 10px; border-radius: 5px; background: ${item.color}`,
      }),
      ` ${item.seriesName}: `,
      h('strong', {}, value(item)),
    ),
  );
  return h('div', {}, h('div', {}, items.length > 0 && heading(items[0]!)), ...lines);
}
