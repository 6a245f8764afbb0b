import './style.css';
import { readDocument, type ReportDocument } from './document';
import { h } from './dom';
import { duration, time } from './format';
import { about } from './sections/about';
import { answers } from './sections/answers';
import { capacity } from './sections/capacity';
import { comparison } from './sections/comparison';
import { cost } from './sections/cost';
import { hosts } from './sections/hosts';
import { latency } from './sections/latency';
import { load } from './sections/load';
import { overTime } from './sections/overTime';
import { runs } from './sections/runs';
import { scenarios } from './sections/scenarios';
import { trend } from './sections/trend';
import { waits } from './sections/waits';
import { warnings } from './sections/warnings';
import { themeButton } from './theme';

const report = readDocument();
const { passed, degraded, headline, isOffered } = report.answers;
const outcome = !passed ? 'NOT PASSED' : headline === 'regressed' && !isOffered ? 'Regressed' : degraded ? 'Degraded' : 'Passed';
document.title = `${outcome}: ${report.title}`;

const sections = [
  warnings(report.runs, report.leftOut),
  comparison(report.comparison),
  load(report),
  scenarios(report),
  latency(report),
  overTime(report),
  capacity(report),
  waits(report),
  cost(report),
  hosts(report.processes),
  trend(report.trends),
  runs(report.runs),
].filter(part => part !== null);

document.getElementById('report')!.append(header(report), h('main', {}, answers(report), contents(sections), ...sections), about());

function header(data: ReportDocument): HTMLElement {
  const run = data.runs[0]!;
  const databases = [
    ...new Set(data.runs.flatMap(each => each.databases.map(database => `${database.product} ${database.version ?? ''}`.trim()))),
  ];
  return h(
    'header',
    {},
    h(
      'div',
      {},
      h('h1', {}, data.title),
      h(
        'p',
        { class: 'quiet' },
        [
          data.runs.length > 1
            ? `${data.runs.length} runs`
            : `${run.name}, ${time(run.startedAt)}, ${duration(run.startedAt, run.finishedAt)}`,
          databases.join(', '),
          [...new Set(data.runs.map(each => each.environment.machine.machineName))].join('; '),
        ].join(' · '),
      ),
    ),
    themeButton(),
  );
}

function contents(parts: HTMLElement[]): HTMLElement {
  return h(
    'nav',
    { 'aria-label': 'Sections' },
    ...parts.map(part => h('a', { href: `#${part.id}` }, part.querySelector('h2')!.textContent!)),
  );
}
