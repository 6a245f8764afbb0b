import type { Run } from '../document';
import { disclosure, h, section, tableOf } from '../dom';

/** Reasons to distrust figures, one line for each kind, and what was asked for and is not in the figures. */
export function warnings(runs: Run[], leftOut: string[]): HTMLElement | null {
  const found = runs.flatMap(run => run.warnings.map(warning => ({ ...warning, run: run.name })));
  const absent = new Map(runs.flatMap(run => run.notMeasured).map(item => [`${item.scenario ?? item.backend}: ${item.reason}`, item]));
  if (found.length + absent.size + leftOut.length === 0) return null;

  const kinds = [...new Set(found.map(warning => warning.code))];
  return section(
    'warnings',
    'How far to trust it',
    '',
    leftOut.length > 0 && h('ul', { class: 'warnings' }, ...leftOut.map(sentence => h('li', {}, sentence))),
    h(
      'ul',
      { class: 'warnings' },
      ...kinds.map(code => {
        const same = found.filter(warning => warning.code === code);
        return h(
          'li',
          {},
          h('code', {}, code),
          same.length > 1 ? ` ${same.length} times, for instance: ` : ' ',
          same[0]!.sentence,
          same[0]!.scenario !== undefined && !same[0]!.sentence.includes(same[0]!.scenario) && ` (${same[0]!.scenario})`,
          same.length > 1 &&
            disclosure(`All ${same.length}`, () =>
              tableOf({
                caption: code,
                columns: [
                  { name: 'Run', isText: true },
                  { name: 'Scenario', isText: true },
                  { name: 'Warning', isText: true },
                ],
                rows: same.map(warning => [warning.run, warning.scenario ?? 'the run', warning.sentence]),
              }),
            ),
        );
      }),
    ),
    absent.size > 0 && h('h3', {}, 'Not measured'),
    absent.size > 0 &&
      h(
        'ul',
        { class: 'warnings' },
        ...[...absent.values()].map(item => h('li', {}, h('strong', {}, item.scenario ?? item.backend), `: ${item.reason}`)),
      ),
  );
}
