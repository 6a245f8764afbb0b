import type { ReportDocument, Scenario } from '../document';
import { disclosure, h, section, tableOf, type Column } from '../dom';
import { count, figure, percent } from '../format';

const columns: Column[] = [
  { name: 'Scenario', isText: true },
  { name: 'Result', isText: true },
  { name: 'Throughput/s' },
  { name: 'P50 ms' },
  { name: 'P95 ms' },
  { name: 'P99 ms' },
  { name: 'Max ms' },
  { name: 'Drain ms' },
  { name: 'Load', isText: true },
];

/** Every measurement as a row; of repeats the typical one, and all of them behind it. */
export function scenarios(report: ReportDocument): HTMLElement {
  const typical = report.scenarios.filter(scenario => scenario.isTypical);
  const severalRuns = report.runs.length > 1;
  const repeats = report.runs.flatMap(run => run.repeats);
  return section(
    'scenarios',
    'Scenarios',
    'Response times, from the intended start to the operation’s own completion. They do not include the drain.',
    tableOf({ caption: 'Scenarios', columns, rows: typical.map(scenario => row(scenario, severalRuns)) }),
    repeats.length > 0 &&
      disclosure('Repeats', () =>
        tableOf({
          caption: 'Repeats: median and spread',
          columns: [
            { name: 'Scenario', isText: true },
            { name: 'Passed' },
            { name: 'Throughput/s median' },
            { name: 'Lowest' },
            { name: 'Highest' },
            { name: 'Spread' },
            { name: 'P50 ms median' },
            { name: 'P99 ms median' },
            { name: 'P99 ms highest' },
          ],
          rows: repeats.map(repeat => [
            repeat.name,
            `${repeat.passed} of ${repeat.repeats}`,
            figure(repeat.throughputPerSecond?.median),
            figure(repeat.throughputPerSecond?.min),
            figure(repeat.throughputPerSecond?.max),
            percent(repeat.throughputPerSecond?.relative),
            figure(repeat.p50Ms?.median),
            figure(repeat.p99Ms?.median),
            figure(repeat.p99Ms?.max),
          ]),
        }),
      ),
    errors(report),
    disclosure('Verification: checks against the database', () =>
      tableOf({
        caption: 'Verification',
        columns: [
          { name: 'Scenario', isText: true },
          { name: 'Check', isText: true },
          { name: 'Held', isText: true },
          { name: 'Expected' },
          { name: 'Found' },
        ],
        rows: report.scenarios.flatMap(scenario =>
          scenario.verification.map(check => [scenario.name, check.check, check.passed ? 'yes' : 'NO', check.expected, check.actual]),
        ),
      }),
    ),
  );
}

function errors(report: ReportDocument): HTMLElement | undefined {
  const rows = report.scenarios.flatMap(scenario =>
    scenario.errors.map(error => [
      scenario.name,
      error.operation,
      error.class,
      error.code ?? '–',
      count(error.count),
      error.firstMessage,
    ]),
  );
  return rows.length === 0
    ? undefined
    : tableOf({
        caption: 'Errors by class',
        columns: [
          { name: 'Scenario', isText: true },
          { name: 'Operation', isText: true },
          { name: 'Class', isText: true },
          { name: 'Code', isText: true },
          { name: 'Count' },
          { name: 'First message', isText: true },
        ],
        rows,
      });
}

const outcome = (scenario: Scenario): string =>
  scenario.didNotHold ? 'did not hold' : `✗ ${scenario.status === 'notMeasured' ? 'not measured' : scenario.status}`;

function row(scenario: Scenario, severalRuns: boolean): (string | Node)[] {
  const { responseTime: latency } = scenario;
  const passed = scenario.status === 'passed' && scenario.failedRepeats === undefined;
  return [
    severalRuns ? h('span', {}, scenario.name, h('br'), h('small', { class: 'quiet' }, scenario.run)) : scenario.name,
    h(
      'span',
      { class: passed ? 'good' : scenario.didNotHold ? 'quiet' : 'bad' },
      passed
        ? '✓ passed'
        : scenario.failedRepeats === undefined
          ? `${outcome(scenario)}: ${scenario.failureReasons.join(' ')}`
          : `✗ ${scenario.failedRepeats}`,
    ),
    figure(scenario.throughputPerSecond),
    figure(latency.p50Ms),
    figure(latency.p95Ms),
    figure(latency.p99Ms),
    figure(latency.maxMs),
    figure(scenario.drainMs),
    scenario.load,
  ];
}
