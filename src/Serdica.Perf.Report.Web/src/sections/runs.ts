import type { Database, Run } from '../document';
import { disclosure, h, section, tableOf, withOptions } from '../dom';
import { bytes, duration, figure, time } from '../format';

const durability: Record<Database['durability'], string> = {
  durable: 'durable',
  lossOnCrash: 'the last acknowledged commits may be lost in a crash',
  notDurable: 'not durable',
  unknown: 'durability unknown',
};

/** Where and how each run was measured, and how to repeat it. */
export const runs = (all: Run[]): HTMLElement => section('environment', 'Environment', '', ...all.map(one));

function one(run: Run): HTMLElement {
  const { machine, runtime, fsync } = run.environment;
  return h(
    'div',
    { class: 'run' },
    h('h3', {}, run.name),
    list([
      ['Begun', `${time(run.startedAt)}, lasted ${duration(run.startedAt, run.finishedAt)}`],
      ['Commit', run.source],
      [
        'Machine',
        `${machine.machineName}; ${machine.cpuModel ?? 'unknown processor'}, ${machine.logicalCores} logical cores ` +
          `(${runtime.availableProcessors} for the suite), ${bytes(machine.memoryBytes)}, ${machine.architecture}`,
      ],
      [
        'Limits',
        [
          machine.cgroupCpuLimit === undefined ? 'no processor limit' : `${figure(machine.cgroupCpuLimit)} cores`,
          machine.cgroupMemoryLimitBytes === undefined ? 'no memory limit' : bytes(machine.cgroupMemoryLimitBytes),
        ].join(', '),
      ],
      ['System', `${machine.operatingSystem}, kernel ${machine.kernel}${machine.inContainer ? ', in a container' : ''}`],
      [
        '.NET',
        `${runtime.dotNetVersion}, ${runtime.serverGc ? 'server' : 'workstation'} GC, ${runtime.entryConfiguration ?? 'unknown'} build`,
      ],
      ...Object.entries(run.environment.labels).map(([key, value]): [string, string] => [`Label ${key}`, value]),
      [
        'Load average',
        `${figure(run.environment.loadAverageAtStart)} at the start, ${figure(run.environment.loadAverageAtEnd)} at the end`,
      ],
      [
        'Flushed write',
        fsync === undefined
          ? 'not measured'
          : `average ${figure(fsync.latency.averageMs)} ms, p99 ${figure(fsync.latency.p99Ms)} ms, ` +
            `of ${fsync.blockBytes} bytes on ${fsync.fileSystem ?? 'an unknown file system'}`,
      ],
      ['Fingerprint', run.environment.fingerprintHash],
    ]),
    ...run.databases.map(database =>
      h(
        'div',
        {},
        h('h4', {}, database.backend),
        list([
          ['Product', `${database.product} ${database.version ?? ''}`.trim()],
          ['Source', [database.source, database.image].filter(part => part !== undefined).join(', ')],
          ['Durability', durability[database.durability]],
          ...(database.dataFileSystem === undefined ? [] : [['File system of the data', database.dataFileSystem] as [string, string]]),
          ...(database.capabilities.length === 0 ? [] : [['Capabilities', database.capabilities.join(', ')] as [string, string]]),
        ]),
        Object.keys(database.settings).length > 0 &&
          disclosure('Settings, read from the server', () =>
            tableOf({
              caption: `Settings of ${database.backend}`,
              columns: [
                { name: 'Setting', isText: true },
                { name: 'Value', isText: true },
              ],
              rows: Object.entries(database.settings).map(([name, value]) => [name, value]),
            }),
          ),
      ),
    ),
    h('h4', {}, 'How to repeat'),
    h('pre', { tabindex: 0 }, ...withOptions(run.command)),
  );
}

const list = (entries: [string, string][]): HTMLElement =>
  h('dl', {}, ...entries.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]));
