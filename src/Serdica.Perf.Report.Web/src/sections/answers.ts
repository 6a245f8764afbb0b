import type { ReportDocument, Verdict } from '../document';
import { h, withOptions } from '../dom';
import { figure } from '../format';

const headlines: Record<Verdict, string> = {
  regressed: '✗ Worse',
  improved: '✓ Better',
  changed: 'Changed',
  same: 'No change found',
  unstable: 'Inconclusive',
  generatorLimited: 'Not comparable',
  notComparable: 'Different conditions',
  notMeasured: 'Not measured',
};

/** The first screen: did it pass, how fast, what limits it, what changed. */
export function answers(report: ReportDocument): HTMLElement {
  const { passed, degraded, outcome, speeds, limits, change, isOffered, headline } = report.answers;
  const warnings = report.runs.reduce((sum, run) => sum + run.warnings.length, 0);
  const changed = card(
    'What changed?',
    headline !== undefined &&
      h('p', { class: `big ${headline === 'regressed' ? 'bad' : headline === 'improved' ? 'good' : ''}` }, headlines[headline]),
    h('p', {}, ...withOptions(change)),
    headline !== undefined && h('p', {}, h('a', { href: '#comparison' }, 'With the evidence')),
  );
  // A comparison that was asked for starts with its verdict, before anything green.
  const isComparison = headline !== undefined && !isOffered;
  return h(
    'section',
    { id: 'answers', class: 'answers', 'aria-label': 'Answers' },
    isComparison && changed,
    card(
      'Did it pass?',
      h(
        'p',
        { class: `big ${!passed ? 'bad' : degraded ? 'warn' : 'good'}` },
        !passed ? '✗ Not passed' : degraded ? '⚠ Degraded' : '✓ Passed',
      ),
      h('p', {}, outcome),
      warnings > 0 &&
        h(
          'p',
          { class: 'warn' },
          h('a', { href: '#warnings' }, `${warnings} warning${warnings === 1 ? '' : 's'}`),
          ' on how far to trust the figures.',
        ),
    ),
    tall(
      'How fast?',
      speeds.length === 0 && h('p', {}, 'No throughput: too few operations were measured, or none passed.'),
      ...speeds.map(speed =>
        h(
          'div',
          { class: 'speed' },
          h('p', { class: 'big' }, figure(speed.perSecond), h('small', {}, ' operations/s')),
          h(
            'p',
            {},
            h('strong', {}, speed.label),
            `: p50 ${figure(speed.p50Ms)} ms, p99 ${figure(speed.p99Ms)} ms. `,
            speed.serialP50Ms !== undefined && `One caller alone waits ${figure(speed.serialP50Ms)} ms (median).`,
          ),
          h('p', { class: 'quiet' }, `${speed.scenario}, ${speed.load}. ${speed.operation}`),
        ),
      ),
    ),
    tall(
      'What limits it?',
      limits.length === 0 && h('p', {}, 'Not judged: no scenario that loads a database has passed.'),
      ...limits.map(limit =>
        h(
          'div',
          {},
          h('p', {}, h('strong', {}, `${limit.label}: `), `${limit.limit}.`),
          h('p', { class: 'quiet' }, `${limit.evidence} (${limit.scenario})`),
        ),
      ),
    ),
    !isComparison && changed,
  );
}

const card = (heading: string, ...children: (Node | false)[]): HTMLElement =>
  h('div', { class: 'card' }, h('h2', {}, heading), ...children);

/** Beside the others, which stand one above the other where there is room. */
function tall(heading: string, ...children: (Node | false)[]): HTMLElement {
  const made = card(heading, ...children);
  made.classList.add('tall');
  return made;
}
