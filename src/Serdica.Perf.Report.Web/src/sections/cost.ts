import { axis, chartFigure, isNarrow, named, namedHeight, replaceFigures, tooltip } from '../chart';
import type { ReportDocument, Scenario } from '../document';
import { choice, h, section } from '../dom';
import { figure, sentence, tick, words } from '../format';

/** The first that a run has is shown; the others follow by name. */
const first = ['walBytes', 'writingCommits', 'roundTrips', 'databaseCpu', 'engineCpu', 'logicalReads', 'allocated'];

/** What one completed operation costs database and engine. */
export function cost(report: ReportDocument): HTMLElement | null {
  const told = report.scenarios.filter(scenario => scenario.isTypical && metrics([scenario]).length > 0);
  if (told.length === 0) return null;

  const all = metrics(told);
  const place = h('div');
  return section(
    'cost',
    'Cost per operation',
    'Costs of the database, and of engine and load generator together, over window and drain, divided by completed operations.',
    h(
      'div',
      { class: 'choices' },
      choice(
        'Cost',
        all.map(name => ({ value: name, text: title(told, name) })),
        name => replaceFigures(place, figureOf(report, told, name, all)),
      ),
    ),
    place,
  );
}

function metrics(scenarios: Scenario[]): string[] {
  const names = [
    ...new Set(
      scenarios.flatMap(scenario =>
        Object.entries(scenario.costPerOperation)
          .filter(([, cost]) => cost.value !== undefined)
          .map(([name]) => name),
      ),
    ),
  ].sort();
  return [...first.filter(name => names.includes(name)), ...names.filter(name => !first.includes(name))];
}

function title(told: Scenario[], name: string): string {
  const unit = told.map(scenario => scenario.costPerOperation[name]?.unit).find(found => found !== undefined);
  return unit === undefined || words(name).endsWith(unit) ? words(name) : `${words(name)}, ${unit}`;
}

function figureOf(report: ReportDocument, told: Scenario[], name: string, all: string[]): HTMLElement {
  const shown = told.filter(scenario => scenario.costPerOperation[name]?.value !== undefined);
  const rows = shown.map(scenario => (report.runs.length > 1 ? `${scenario.name} (${scenario.run})` : scenario.name));
  const backends = [...new Set(told.map(scenario => scenario.backend))];
  return chartFigure({
    title: `${sentence(title(told, name))}.`,
    summary: 'For one completed operation.',
    height: width => namedHeight(rows, width),
    option: (colours, width) => ({
      ...named(colours, rows, width, { right: 70 }),
      tooltip: { ...tooltip(colours), trigger: 'axis', axisPointer: { type: 'shadow' }, valueFormatter: value => figure(value as number) },
      xAxis: axis(colours, '', { type: 'value', splitNumber: isNarrow(width) ? 2 : 5, axisLabel: { formatter: tick } }) as object,
      series: [
        {
          type: 'bar',
          name: title(told, name),
          barMaxWidth: 16,
          label: { show: true, position: 'right', color: colours.text, fontSize: 11, formatter: item => figure(item.value as number) },
          data: shown.map(scenario => ({
            value: scenario.costPerOperation[name]!.value!,
            itemStyle: { color: colours.series[backends.indexOf(scenario.backend) % colours.series.length] },
          })),
        },
      ],
    }),
    table: () => ({
      caption: 'Cost per operation',
      columns: [{ name: 'Scenario', isText: true }, ...all.map(metric => ({ name: title(told, metric) }))],
      rows: told.map(scenario => [
        report.runs.length > 1 ? `${scenario.name} (${scenario.run})` : scenario.name,
        ...all.map(metric => figure(scenario.costPerOperation[metric]?.value)),
      ]),
    }),
  });
}
