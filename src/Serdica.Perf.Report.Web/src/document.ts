// The shape of ReportDocument, which the measurement writes into the page. What is null there is missing here.

export interface ReportDocument {
  title: string;
  answers: Answers;
  runs: Run[];
  /** Runs that were asked for and cannot be read. */
  leftOut: string[];
  loadTests: LoadTest[];
  scenarios: Scenario[];
  processes: Process[];
  ladders: Ladder[];
  comparison?: Comparison;
  trends: Trend[];
}

export interface Answers {
  passed: boolean;
  degraded: boolean;
  outcome: string;
  speeds: {
    label: string;
    scenario: string;
    load: string;
    /** What an operation is, in one sentence. */
    operation: string;
    perSecond: number;
    p50Ms?: number;
    p99Ms?: number;
    serialP50Ms?: number;
  }[];
  limits: { label: string; limit: string; evidence: string; scenario: string }[];
  change: string;
  isOffered: boolean;
  headline?: Verdict;
}

export interface Run {
  name: string;
  status: 'passed' | 'failed' | 'aborted';
  statusReason?: string;
  startedAt: string;
  finishedAt: string;
  command: string;
  source: string;
  environment: Environment;
  databases: Database[];
  warnings: { code: string; sentence: string; scenario?: string }[];
  notMeasured: { backend: string; reason: string; scenario?: string }[];
  repeats: Repeat[];
}

export interface Environment {
  machine: {
    machineName: string;
    cpuModel?: string;
    logicalCores: number;
    memoryBytes?: number;
    cgroupCpuLimit?: number;
    cgroupMemoryLimitBytes?: number;
    operatingSystem: string;
    kernel: string;
    architecture: string;
    inContainer: boolean;
  };
  runtime: { dotNetVersion: string; serverGc: boolean; concurrentGc: boolean; availableProcessors: number; entryConfiguration?: string };
  labels: Record<string, string>;
  loadAverageAtStart?: number;
  loadAverageAtEnd?: number;
  fsync?: { blockBytes: number; writesPerSecond: number; fileSystem?: string; latency: Summary };
  fingerprintHash: string;
}

export interface Database {
  backend: string;
  product: string;
  version?: string;
  source: string;
  image?: string;
  connection?: string;
  durability: 'unknown' | 'notDurable' | 'lossOnCrash' | 'durable';
  dataFileSystem?: string;
  settings: Record<string, string>;
  capabilities: string[];
}

export interface Spread {
  count: number;
  median: number;
  min: number;
  max: number;
  relative: number;
}

export interface Repeat {
  name: string;
  repeats: number;
  passed: number;
  throughputPerSecond?: Spread;
  p50Ms?: Spread;
  p99Ms?: Spread;
}

export interface Summary {
  count: number;
  averageMs?: number;
  minMs?: number;
  p50Ms?: number;
  p90Ms?: number;
  p95Ms?: number;
  p99Ms?: number;
  p999Ms?: number;
  maxMs?: number;
}

export interface Latency {
  phase: string;
  summary: Summary;
  /** Empty without a raw histogram, and with too few samples for the p99. */
  percentiles: [number, number][];
  distribution: [number, number, number][];
}

export interface Mark {
  fromSeconds: number;
  toSeconds?: number;
  label: string;
  isFault: boolean;
  isMeasured: boolean;
}

export interface Timeline {
  intervalSeconds: number;
  seconds: number[];
  perSecond: number[];
  p99Ms: (number | null)[];
}

export interface HeatMap {
  intervalSeconds: number;
  columns: number;
  upperMs: number[];
  cells: [number, number, number][];
}

export interface Curves {
  samplesPerPoint: number;
  seconds: number[];
  panels: { title: string; unit: string; curves: { name: string; values: (number | null)[] }[] }[];
}

export interface LoadTest {
  run: string;
  name: string;
  backend: string;
  verdict: LoadVerdict;
  found?: { sentence: string; perSecond?: number };
  steps: {
    name: string;
    verdict: LoadVerdict;
    reasons: string[];
    targetPerSecond?: number;
    startedPerSecond: number;
    /** Missing where too few operations completed. */
    completedPerSecond?: number;
    response: Summary;
    failed: number;
    late: number;
    dropped: number;
    drainSeconds?: number;
    kinds: { name: string; started: number; completed: number; failed: number; completedPerSecond?: number; response: Summary }[];
    thresholds: { threshold: string; shown?: string; held: boolean }[];
    hosts: Host[];
    limitedBy?: string;
    limitEvidence?: string;
  }[];
  marks: Mark[];
  rates?: Curves;
  curves?: Curves;
}

/** A host, the generator or the database of a scenario whose workflows ran in processes of their own. */
export interface Process {
  name: string;
  role: string;
  processId?: number;
  cpuMs?: number;
  memoryBytes?: number;
  peakMemoryBytes?: number;
  connections?: number;
  counters?: Host['counters'];
}

/** A process that hosted the workflows of a step, from the start of the step to the end of its drain. */
export interface Host {
  number: number;
  processId: number;
  cpuMs: number;
  workingSetBytes: number;
  peakWorkingSetBytes: number;
  connections?: number;
  counters: { signals: number; activityAttempts: number; emptyClaims: number; conflicts: number; backendFailures: number };
}

export type LoadVerdict = 'passed' | 'degraded' | 'failed';

export interface Wait {
  name: string;
  kind: string;
  microsecondsPerOperation: number;
  share: number;
}

export interface Scenario {
  run: string;
  name: string;
  scenario: string;
  backend: string;
  tier: string;
  description: string;
  status: 'passed' | 'failed' | 'aborted' | 'notMeasured';
  didNotHold: boolean;
  failureReasons: string[];
  errors: { operation: string; class: string; code?: string; count: number; firstMessage: string }[];
  load: string;
  isTypical: boolean;
  /** Of a row that stands for repeats of which some failed. */
  failedRepeats?: string;
  concurrency: number;
  operations: number;
  throughputPerSecond?: number;
  durationMs: number;
  drainMs?: number;
  responseTime: Summary;
  latencies: Latency[];
  timeline?: Timeline;
  heatMap?: HeatMap;
  heatMapMissing?: string;
  marks: Mark[];
  curves?: Curves;
  curvesMissing?: string;
  waits: Wait[];
  waitsMissing?: string;
  costPerOperation: Record<string, { value?: number; unit?: string; reason?: string }>;
  verification: { check: string; passed: boolean; expected: string; actual: string }[];
}

export interface Ladder {
  run: string;
  sizingNote: string;
  fitNote: string;
  curve: [number, number][];
  ladder: {
    backend: string;
    load: string;
    lastComfortable?: number;
    firstPressure?: number;
    knee?: number;
    rungs: { concurrency: number; throughputPerSecond: number; p95Ms: number; growth?: number; p95Ratio?: number; verdict: string }[];
  };
}

export interface MetricComparison {
  metric: string;
  unit?: string;
  higherIsBetter?: boolean | null;
  verdict: Verdict;
  reason: string;
  before?: number;
  after?: number;
  beforeCount: number;
  afterCount: number;
  ratio?: number;
  low?: number;
  high?: number;
  pValue?: number;
  correctedPValue?: number;
  noiseFloor?: number;
  blocksNeeded?: number;
  minimumEffect: number;
}

export type Verdict = 'improved' | 'regressed' | 'changed' | 'same' | 'unstable' | 'generatorLimited' | 'notComparable' | 'notMeasured';

export interface Comparison {
  base: string;
  candidate: string;
  allowUnlike: boolean;
  unlike: string[];
  correction?: string;
  scenarios: { name: string; unlike: string[]; metrics: MetricComparison[] }[];
}

export interface Trend {
  name: string;
  unit?: string;
  points: { commit: string; at: string; value: number }[];
  changePoints: number[];
}

/** Throws when the page was opened as it was built, without the data of a run. */
export function readDocument(): ReportDocument {
  const data: unknown = JSON.parse(document.getElementById('report-data')!.textContent!);
  if (typeof data !== 'object' || data === null) throw new Error('This page has no data: serdica-perf report writes them into it.');
  return data as ReportDocument;
}
