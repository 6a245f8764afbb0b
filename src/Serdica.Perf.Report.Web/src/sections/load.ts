import { missing } from '../chart';
import type { LoadTest, ReportDocument } from '../document';
import { disclosure, h, section, tableOf } from '../dom';
import { count, figure, seconds } from '../format';
import { use, useColumns } from './hosts';
import { spans } from './marks';
import { panels } from './panels';

/** Of a trial of a search: that a rate did not hold is what it wanted to know. */
const trials = { passed: ['good', '✓ held'], degraded: ['quiet', 'did not hold'], failed: ['quiet', 'did not hold'] } as const;
const verdicts = { passed: ['good', '✓ passed'], degraded: ['warn', '⚠ degraded'], failed: ['bad', '✗ failed'] } as const;

/** Load tests as a whole: the verdict on each step, and all steps on one axis with their phases and faults. */
export function load(report: ReportDocument): HTMLElement | null {
  return report.loadTests.length === 0
    ? null
    : section(
        'load',
        'Load test',
        'Seconds count from the start of the test.',
        ...report.loadTests.flatMap(test => [
          h('h3', {}, `${test.name} on ${test.backend}${report.runs.length > 1 ? `, ${test.run}` : ''}`),
          test.found && h('p', {}, h('strong', {}, test.found.sentence)),
          steps(test),
          kinds(test),
          thresholds(test),
          hosts(test),
          ...charts(test),
        ]),
      );
}

function steps(test: LoadTest): HTMLElement {
  const words = test.found ? trials : verdicts;
  return tableOf({
    caption: `Steps of ${test.name}`,
    columns: [
      { name: 'Step', isText: true },
      { name: 'Verdict', isText: true },
      ...['Target/s', 'Started/s', 'Completed/s', 'P50 ms', 'P99 ms', 'Max ms', 'Failed', 'Late', 'Dropped', 'Drain s'].map(name => ({
        name,
      })),
      { name: 'Why, and what limits it', isText: true },
    ],
    rows: test.steps.map(step => [
      step.name,
      h('span', { class: words[step.verdict][0] }, words[step.verdict][1]),
      figure(step.targetPerSecond),
      figure(step.startedPerSecond),
      figure(step.completedPerSecond),
      figure(step.response.p50Ms),
      figure(step.response.p99Ms),
      figure(step.response.maxMs),
      count(step.failed),
      count(step.late),
      count(step.dropped),
      figure(step.drainSeconds),
      [...step.reasons, step.limitedBy === undefined ? '' : `Limited by: ${step.limitedBy}.`].join(' ').trim(),
    ]),
  });
}

function kinds(test: LoadTest): HTMLElement | undefined {
  const rows = test.steps.flatMap(step =>
    step.kinds.map(kind => [
      step.name,
      kind.name,
      count(kind.started),
      count(kind.completed),
      count(kind.failed),
      figure(kind.completedPerSecond),
      figure(kind.response.p50Ms),
      figure(kind.response.p99Ms),
      figure(kind.response.maxMs),
    ]),
  );
  return rows.length === 0
    ? undefined
    : tableOf({
        caption: `Kinds of operations of ${test.name}`,
        columns: [
          { name: 'Step', isText: true },
          { name: 'Kind', isText: true },
          ...['Started', 'Completed', 'Failed', 'Completed/s', 'P50 ms', 'P99 ms', 'Max ms'].map(name => ({ name })),
        ],
        rows,
      });
}

function thresholds(test: LoadTest): HTMLElement | undefined {
  const rows = test.steps.flatMap(step =>
    step.thresholds.map(threshold => [
      step.name,
      threshold.threshold,
      h('span', { class: threshold.held ? 'good' : 'bad' }, threshold.held ? '✓ kept' : '✗ broken'),
      threshold.shown ?? 'no figure',
    ]),
  );
  return rows.length === 0
    ? undefined
    : tableOf({
        caption: `Thresholds of ${test.name}`,
        columns: [
          { name: 'Step', isText: true },
          { name: 'Threshold', isText: true },
          { name: 'Verdict', isText: true },
          { name: 'Measured' },
        ],
        rows,
      });
}

function hosts(test: LoadTest): HTMLElement | undefined {
  const rows = test.steps.flatMap(step =>
    step.hosts.map(host => [
      step.name,
      `${host.number}`,
      `${host.processId}`,
      ...use({ ...host, memoryBytes: host.workingSetBytes, peakMemoryBytes: host.peakWorkingSetBytes }),
    ]),
  );
  return rows.length === 0
    ? undefined
    : tableOf({
        caption: `Hosts of ${test.name}, each a separate process, from the start of the step to the end of its drain`,
        columns: [{ name: 'Step', isText: true }, { name: 'Host' }, { name: 'Process' }, ...useColumns],
        rows,
      });
}

function charts(test: LoadTest): HTMLElement[] {
  const end = Math.max(
    ...spans(test.marks).map(mark => mark.toSeconds!),
    test.rates?.seconds.at(-1) ?? 0,
    test.curves?.seconds.at(-1) ?? 0,
  );
  const faults = test.marks.filter(mark => mark.isFault);
  const marked =
    faults.length === 0
      ? 'No fault to mark.'
      : `Faults in red: ${faults.map(mark => `${mark.label} at ${seconds(mark.toSeconds ?? mark.fromSeconds)}`).join('; ')}.`;
  const common = { marks: test.marks, end, targets: ['target', 'throttle'] };
  return [
    test.rates
      ? panels({
          ...common,
          title: 'Throughput over time.',
          caption: `Throughput of ${test.name}`,
          data: test.rates,
          panelHeight: 170,
          withLabels: true,
          summary:
            'All steps; grey bands are warm-up, pauses, drains and looks at the store: ' +
            `operations that start there are in no figure. ${marked}`,
        })
      : missing(
          'Throughput over time.',
          'Nothing was measured, or several generators were merged, each of which has its own curves in its folder.',
        ),
    test.curves
      ? panels({
          ...common,
          title: 'Generator, engine, database and machine.',
          caption: `Samples of ${test.name}`,
          data: test.curves,
          panelHeight: 96,
          withLabels: false,
          summary:
            'One sample a second of each step, on the same axis, with a common cursor.' +
            (test.curves.samplesPerPoint > 1 ? ` Each point is of ${test.curves.samplesPerPoint} samples.` : ''),
        })
      : missing('Generator, engine, database and machine.', 'There are too few samples for curves: they are taken once a second.'),
    disclosure('Phases and faults', () =>
      tableOf({
        caption: `Phases and faults of ${test.name}`,
        columns: [{ name: 'Phase or fault', isText: true }, { name: 'From s' }, { name: 'To s' }, { name: 'Kind', isText: true }],
        rows: test.marks.map(mark => [
          mark.label,
          figure(mark.fromSeconds),
          figure(mark.toSeconds),
          mark.isFault ? 'fault' : mark.isMeasured ? 'measured' : mark.toSeconds === undefined ? 'event' : 'not in the figures',
        ]),
      }),
    ),
  ];
}
