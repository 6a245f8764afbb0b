import type { Process } from '../document';
import { section, tableOf } from '../dom';
import { count, figure, none } from '../format';

/** What a process used and did: the columns of `use`. */
export const useColumns = [
  'CPU s',
  'Memory MiB',
  'Highest memory MiB',
  'Connections',
  'Signals',
  'Activities',
  'Empty claims',
  'Conflicts',
  'Failed calls',
].map(name => ({ name }));

/** Figures that are not known are left out. */
export function use(process: Omit<Process, 'name' | 'role'>): string[] {
  return [
    figure(process.cpuMs === undefined ? undefined : process.cpuMs / 1000),
    mebibytes(process.memoryBytes),
    mebibytes(process.peakMemoryBytes),
    known(process.connections),
    known(process.counters?.signals),
    known(process.counters?.activityAttempts),
    known(process.counters?.emptyClaims),
    known(process.counters?.conflicts),
    known(process.counters?.backendFailures),
  ];
}

/** What hosts, generator and database used, each by itself, where processes of their own hosted the workflows. */
export function hosts(processes: Process[]): HTMLElement | null {
  return processes.length === 0
    ? null
    : section(
        'hosts',
        'Hosts, generator and database',
        'Each host is a separate process, and all claim from one store. The figures are from the start of the measured window to the ' +
          'end of the drain. The connections of the database are those of hosts and generator together.',
        tableOf({
          caption: 'Hosts, generator and database',
          columns: [{ name: 'Scenario', isText: true }, { name: 'Process', isText: true }, { name: 'Id' }, ...useColumns],
          rows: processes.map(process => [
            process.name,
            process.role,
            process.processId === undefined ? none : `${process.processId}`,
            ...use(process),
          ]),
        }),
      );
}

const known = (value: number | undefined) => (value === undefined ? none : count(value));
const mebibytes = (size: number | undefined) => known(size === undefined ? undefined : size / 2 ** 20);
