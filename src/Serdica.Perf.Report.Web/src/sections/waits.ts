import { axis, chartFigure, isNarrow, named, namedHeight, seriesColour, tooltip } from '../chart';
import type { ReportDocument, Scenario } from '../document';
import { h, section } from '../dom';
import { figure, percent } from '../format';

const mostKinds = 7;

/** What the engine's database sessions did while they were not idle, one bar for each scenario. */
export function waits(report: ReportDocument): HTMLElement | null {
  const told = report.scenarios.filter(scenario => scenario.isTypical && scenario.waits.length > 0);
  const reasons = [
    ...new Set(
      report.scenarios
        .filter(scenario => scenario.waitsMissing !== undefined)
        .map(scenario => `${scenario.backend}: ${scenario.waitsMissing}`),
    ),
  ];
  if (told.length + reasons.length === 0) return null;

  return section(
    'waits',
    'Waits',
    'What the engine’s sessions in the database did while they were not idle. CPU is running, or waiting for a processor.',
    told.length > 0 && figureOf(report, told),
    ...reasons.map(reason => h('p', { class: 'quiet' }, reason)),
  );
}

function figureOf(report: ReportDocument, told: Scenario[]): HTMLElement {
  const total = new Map<string, number>();
  for (const wait of told.flatMap(scenario => scenario.waits)) total.set(wait.name, (total.get(wait.name) ?? 0) + wait.share);
  const names = [...total]
    .sort((left, right) => right[1] - left[1])
    .slice(0, mostKinds)
    .map(([name]) => name);
  const share = (scenario: Scenario, name: string) => scenario.waits.find(wait => wait.name === name)?.share ?? 0;
  const rest = (scenario: Scenario) => Math.max(0, 1 - names.reduce((sum, name) => sum + share(scenario, name), 0));
  const rows = told.map(scenario => (report.runs.length > 1 ? `${scenario.name} (${scenario.run})` : scenario.name));
  return chartFigure({
    title: 'Waits of each scenario.',
    summary: 'Shares of the time in which sessions were not idle.',
    height: width => namedHeight(rows, width),
    legends: [
      { series: [...names.map((name, index) => ({ name, colour: seriesColour(index) })), { name: 'other', colour: 'var(--quiet)' }] },
    ],
    option: (colours, width) => ({
      ...named(colours, rows, width),
      tooltip: { ...tooltip(colours), trigger: 'axis', axisPointer: { type: 'shadow' }, valueFormatter: value => percent(value as number) },
      xAxis: axis(colours, '', {
        type: 'value',
        max: 1,
        splitNumber: isNarrow(width) ? 2 : 5,
        axisLabel: { formatter: (value: number) => percent(value, 0) },
      }) as object,
      series: [
        ...names.map((name, index) => ({
          type: 'bar' as const,
          name,
          stack: 'all',
          color: colours.series[index],
          barMaxWidth: 16,
          data: told.map(scenario => share(scenario, name)),
          itemStyle: { borderColor: colours.surface, borderWidth: 1 },
        })),
        {
          type: 'bar',
          name: 'other',
          stack: 'all',
          color: colours.quiet,
          barMaxWidth: 16,
          data: told.map(rest),
          itemStyle: { borderColor: colours.surface, borderWidth: 1 },
        },
      ],
    }),
    table: () => ({
      caption: 'Waits',
      columns: [
        { name: 'Scenario', isText: true },
        { name: 'Wait', isText: true },
        { name: 'Kind', isText: true },
        { name: 'µs per operation' },
        { name: 'Share' },
      ],
      rows: told.flatMap((scenario, index) =>
        scenario.waits.map(wait => [rows[index]!, wait.name, wait.kind, figure(wait.microsecondsPerOperation), percent(wait.share)]),
      ),
    }),
  });
}
