import { axis, chartFigure, tooltip } from '../chart';
import type { Comparison, MetricComparison, Verdict } from '../document';
import { h, section } from '../dom';
import { figure, none, percent } from '../format';

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
    `${data.candidate} against ${data.base}. A change counts when it is more than chance and than the minimum effect.` +
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
            data.allowUnlike ? 'Not alike: a difference may come from what follows.' : 'Not alike, so these are not compared:',
          ),
        ),
        h('ul', {}, ...unlike.slice(0, 12).map(phrase => h('li', {}, phrase))),
      ),
    figureOf(all, shown),
  );
}

// Names leave the plot more than half of the width, on a phone too; the tooltip and the table have them whole.
const longNames = () => ({ width: Math.min(360, window.innerWidth * 0.45), overflow: 'truncate' as const });

const weight = (metric: MetricComparison): number =>
  (metric.verdict === 'regressed' ? 1000 : metric.verdict === 'improved' ? 500 : 0) + Math.abs(Math.log(metric.ratio ?? 1));

/** To the right is better, whichever way the metric goes. */
function better(metric: MetricComparison): { at: number; low?: number; high?: number } {
  const turn = (ratio: number) => (metric.higherIsBetter ? ratio : 1 / ratio);
  const [low, high] = metric.higherIsBetter ? [metric.low, metric.high] : [metric.high, metric.low];
  return { at: turn(metric.ratio!), low: low === undefined ? undefined : turn(low), high: high === undefined ? undefined : turn(high) };
}

function figureOf(all: { name: string; metric: MetricComparison }[], shown: { name: string; metric: MetricComparison }[]): HTMLElement {
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
    height: 80 + 22 * shown.length,
    option: colours => {
      const colourOf = (metric: MetricComparison) =>
        metric.verdict === 'regressed' ? colours.bad : metric.verdict === 'improved' ? colours.good : colours.quiet;
      return {
        grid: { left: 8, right: 24, top: 10, bottom: 40, containLabel: true },
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
        xAxis: axis(colours, 'times better (right) or worse (left), logarithmic', {
          type: 'log',
          logBase: edge ** 0.25,
          min: 1 / edge,
          max: edge,
          nameLocation: 'middle',
          nameGap: 26,
          axisLabel: { color: colours.quiet, formatter: (value: number) => `${+value.toPrecision(3)}` },
        }) as object,
        yAxis: axis(colours, '', {
          type: 'category',
          inverse: true,
          data: shown.map(({ name }) => name),
          axisLabel: { color: colours.text, fontSize: 11, ...longNames() },
          splitLine: { show: false },
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
    table: () => ({
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
    }),
  });
}
