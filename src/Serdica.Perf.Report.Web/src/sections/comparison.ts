import { axis, chartFigure, isNarrow, missing, named, namedHeight, tooltip } from '../chart';
import type { Comparison, MetricComparison, Verdict } from '../document';
import { h, section, type Table } from '../dom';
import { figure, none, percent, tick } from '../format';

const wordOf: Record<Verdict, string> = {
  improved: 'improved',
  regressed: 'regressed',
  changed: 'changed',
  same: 'same',
  unstable: 'inconclusive',
  generatorLimited: 'generator-limited',
  notComparable: 'different conditions',
  notMeasured: 'not measured',
};

/** What the verdict says, in words that need no second reading; as ComparisonText.Words of the program. */
function words(metric: MetricComparison): string {
  const { verdict, low, high } = metric;
  if (verdict === 'regressed' || verdict === 'improved') {
    const isWorse = verdict === 'regressed';
    return ['errors', 'deadLetters'].includes(metric.metric)
      ? isWorse
        ? 'worse'
        : 'better'
      : metric.metric.startsWith('cost.')
        ? isWorse
          ? 'more expensive'
          : 'cheaper'
        : isWorse
          ? 'slower'
          : 'faster';
  }
  return verdict === 'same' && low !== undefined && high !== undefined
    ? `no difference larger than ${(Math.max(1 - low, high - 1) * 100).toFixed(1)} %`
    : verdict === 'unstable' && metric.blocksNeeded !== undefined
      ? `inconclusive: about ${metric.blocksNeeded} more blocks would be needed`
      : wordOf[verdict];
}

const mostShown = 40;

/** What is further away stands at the edge of the plot; its figures are in the tooltip and in the table. */
const mostReach = 10_000;

/** What changed against the base, with the interval of each ratio. */
export function comparison(data: Comparison | undefined): HTMLElement | null {
  if (data === undefined) return null;

  const all = data.scenarios.flatMap(scenario => scenario.metrics.map(metric => ({ name: `${scenario.name} ${metric.metric}`, metric })));
  const unlike = [...new Set([...data.unlike, ...data.scenarios.flatMap(scenario => scenario.unlike)])];
  const shown = all
    .filter(
      ({ metric }) =>
        metric.ratio !== undefined &&
        (['improved', 'regressed'].includes(metric.verdict) || ['throughput', 'p50', 'p99'].includes(metric.metric)),
    )
    .sort((left, right) => weight(right.metric) - weight(left.metric))
    .slice(0, mostShown);
  return section(
    'comparison',
    'What changed',
    `${data.candidate} against ${data.base}. A change counts when it exceeds both chance and the minimum effect.` +
      (data.correction === undefined ? '' : ` ${data.correction}`),
    unlike.length > 0 &&
      h(
        'div',
        { class: 'notice' },
        h(
          'p',
          {},
          h(
            'strong',
            {},
            data.allowUnlike ? 'Different conditions, which may cause a difference:' : 'Different conditions, so these are not compared:',
          ),
        ),
        h('ul', {}, ...unlike.slice(0, 12).map(phrase => h('li', {}, phrase))),
      ),
    figureOf(all, shown),
  );
}

const weight = (metric: MetricComparison): number =>
  (metric.verdict === 'regressed' ? 1000 : metric.verdict === 'improved' ? 500 : 0) + Math.abs(Math.log(metric.ratio ?? 1));

/** To the right is better, whichever way the metric goes. */
function better(metric: MetricComparison): { at: number; low?: number; high?: number } {
  const turn = (ratio: number) => (metric.higherIsBetter ? ratio : 1 / ratio);
  const [low, high] = metric.higherIsBetter ? [metric.low, metric.high] : [metric.high, metric.low];
  return { at: turn(metric.ratio!), low: low === undefined ? undefined : turn(low), high: high === undefined ? undefined : turn(high) };
}

interface Named {
  name: string;
  metric: MetricComparison;
}

/** Round factors up to an edge, evenly spread over a logarithmic axis, on both sides of 1. */
function factors(edge: number, most: number): number[] {
  const round = [1.1, 1.2, 1.5, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];
  const gap = Math.log(edge) / (most + 1);
  const kept: number[] = [];
  for (const factor of round.filter(each => each <= edge).reverse())
    if (Math.min(Math.log(factor), Math.log((kept.at(-1) ?? Infinity) / factor)) >= gap) kept.push(factor);
  return [...kept.map(factor => 1 / factor), 1, ...kept.reverse()];
}

function figureOf(all: Named[], shown: Named[]): HTMLElement {
  const table = () => tableOfAll(all);
  if (shown.length === 0) return missing('Changes.', 'There is nothing to draw: no primary metric has figures on both sides.', table);
  const names = shown.map(({ name }) => name);
  const points = shown.map(({ metric }) => better(metric));
  const reach = Math.max(
    1.25,
    ...points.flatMap(point =>
      [point.at, point.low, point.high].filter(value => value !== undefined && value > 0).map(value => Math.max(value!, 1 / value!)),
    ),
  );
  const edge = Math.min(reach * 1.1, mostReach);
  const inside = (ratio: number) => Math.min(edge, Math.max(1 / edge, ratio));
  const effect = shown[0]?.metric.minimumEffect ?? 0.05;
  return chartFigure({
    title: 'Changes with their intervals.',
    summary:
      'Ratio to the base, turned so that right is better; the bar is the 99 % interval, the grey band the minimum effect. ' +
      'First what regressed, then what improved, then the headlines of each scenario.',
    height: width => namedHeight(names, width, true),
    option: (colours, width) => {
      const ticks = factors(edge, isNarrow(width) ? 2 : 4);
      const colourOf = (metric: MetricComparison) =>
        metric.verdict === 'regressed' ? colours.bad : metric.verdict === 'improved' ? colours.good : colours.quiet;
      return {
        ...named(colours, names, width, { hasAxisName: true }),
        tooltip: {
          ...tooltip(colours, item => {
            const { name, metric } = shown[(item as { dataIndex: number }).dataIndex]!;
            return h(
              'div',
              {},
              h('strong', {}, name),
              h('br'),
              `${figure(metric.before)} to ${figure(metric.after)} ${metric.unit ?? ''}: ${words(metric)}`,
            );
          }),
          trigger: 'item',
        },
        xAxis: axis(colours, '← times worse · times better →', {
          type: 'log',
          logBase: edge ** 0.25,
          min: 1 / edge,
          max: edge,
          nameLocation: 'middle',
          nameGap: 26,
          axisLabel: { formatter: (value: number) => tick(+Math.max(value, 1 / value).toPrecision(3)), customValues: ticks },
          axisTick: { customValues: ticks },
        }) as object,
        series: [
          {
            type: 'custom',
            name: 'interval',
            silent: true,
            data: points.map((point, index) => [inside(point.low ?? point.at), index, inside(point.high ?? point.at)]),
            renderItem: (_, api) => {
              const [from, to] = [api.coord([api.value(0), api.value(1)]), api.coord([api.value(2), api.value(1)])];
              return {
                type: 'line',
                shape: { x1: from[0]!, y1: from[1]!, x2: to[0]!, y2: to[1]! },
                style: { stroke: colourOf(shown[api.value(1) as number]!.metric), lineWidth: 3, opacity: 0.6 },
              };
            },
          },
          {
            type: 'scatter',
            name: 'ratio',
            symbolSize: 10,
            data: points.map((point, index) => ({
              value: [inside(point.at), index],
              symbol:
                shown[index]!.metric.verdict === 'regressed'
                  ? 'triangle'
                  : shown[index]!.metric.verdict === 'improved'
                    ? 'diamond'
                    : 'circle',
              itemStyle: { color: colourOf(shown[index]!.metric) },
            })),
            markLine: {
              silent: true,
              symbol: 'none',
              label: { show: false },
              lineStyle: { color: colours.text, type: 'solid' },
              data: [{ xAxis: 1 }],
            },
            markArea: {
              silent: true,
              itemStyle: { color: colours.quiet, opacity: 0.15 },
              data: [[{ xAxis: 1 / (1 + effect) }, { xAxis: 1 + effect }]],
            },
          },
        ],
      };
    },
    table,
  });
}

const tableOfAll = (all: Named[]): Table => ({
  caption: 'Every metric',
  columns: [
    { name: 'Scenario and metric', isText: true },
    { name: 'Verdict', isText: true },
    { name: 'Before' },
    { name: 'After' },
    { name: 'Unit', isText: true },
    { name: 'Ratio' },
    { name: '99 % interval' },
    { name: 'Repeats' },
    { name: 'p' },
    { name: 'p corrected' },
    { name: 'Noise floor' },
    { name: 'Why', isText: true },
  ],
  rows: all.map(({ name, metric }) => [
    name,
    words(metric),
    figure(metric.before),
    figure(metric.after),
    metric.unit ?? '',
    metric.ratio === undefined ? none : metric.ratio.toFixed(3),
    metric.low === undefined || metric.high === undefined ? none : `${metric.low.toFixed(3)} to ${metric.high.toFixed(3)}`,
    `${metric.beforeCount} and ${metric.afterCount}`,
    metric.pValue === undefined ? none : metric.pValue.toFixed(4),
    metric.correctedPValue === undefined ? none : metric.correctedPValue.toFixed(4),
    percent(metric.noiseFloor),
    metric.reason,
  ]),
});
