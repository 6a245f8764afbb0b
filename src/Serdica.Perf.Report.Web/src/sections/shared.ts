import type { ReportDocument, Scenario } from '../document';

/** What tells a measurement from others of the same scenario. */
export function label(report: ReportDocument, scenario: Scenario): string {
  const repeat = /#\d+$/.exec(scenario.name)?.[0];
  return [report.runs.length > 1 ? scenario.run : '', scenario.backend, repeat ?? ''].filter(part => part !== '').join(' ');
}

export const scenarioNames = (scenarios: Scenario[]): string[] => [...new Set(scenarios.map(scenario => scenario.scenario))];

/** The headline's scenario first. */
export function preferred(report: ReportDocument, names: string[]): string[] {
  const first = report.scenarios.find(scenario => scenario.name === report.answers.speeds[0]?.scenario)?.scenario;
  return first !== undefined && names.includes(first) ? [first, ...names.filter(name => name !== first)] : names;
}
