// How figures are written: as many digits as a reader can use, a dash where there is none.

export const none = '–';

const grouped = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });

/** Three digits or more, whatever the size. */
export function figure(value: number | null | undefined): string {
  if (value === null || value === undefined) return none;
  const size = Math.abs(value);
  if (size >= 100) return grouped.format(value);
  return value.toFixed(size >= 10 ? 1 : size >= 1 ? 2 : size === 0 ? 0 : Math.min(6, 2 - Math.floor(Math.log10(size))));
}

export const count = (value: number): string => grouped.format(value);

export const percent = (share: number | null | undefined, digits = 1): string =>
  share === null || share === undefined ? none : `${(share * 100).toFixed(digits)} %`;

/** For an axis: without digits that say nothing. */
export function tick(value: number): string {
  const size = Math.abs(value);
  return size >= 1e6 ? `${+(value / 1e6).toPrecision(3)} M` : size >= 1e3 ? grouped.format(value) : `${+value.toPrecision(4)}`;
}

/** Steps of 1, 2 and 5 that enclose two values on a logarithmic axis, and where to label it: at the powers of ten where steps are many. */
export function logarithmic(low: number, high: number): { min: number; max: number; ticks: number[] } {
  const first = Math.floor(Math.log10(low));
  const steps = Array.from({ length: Math.ceil(Math.log10(high)) - first + 1 }, (_, index) => 10 ** (first + index)).flatMap(power =>
    [1, 2, 5].map(factor => +(factor * power).toPrecision(1)),
  );
  const min = Math.max(...steps.filter(step => step <= low));
  const max = Math.min(...steps.filter(step => step >= high && step > min));
  const within = steps.filter(step => step >= min && step <= max);
  return { min, max, ticks: within.length <= 7 ? within : within.filter(step => Number.isInteger(Math.log10(step))) };
}

export function bytes(value: number | undefined): string {
  if (value === undefined) return none;
  const gibibytes = value / 2 ** 30;
  return gibibytes >= 1 ? `${gibibytes.toFixed(1)} GiB` : `${(value / 2 ** 20).toFixed(1)} MiB`;
}

/** 1/(1-p) as the percentile p: 10 is 90, 1,000 is 99.9. */
export function percentile(inverse: number): string {
  const nines = Math.max(0, Math.ceil(Math.log10(inverse) - 1e-9) - 2);
  return ((1 - 1 / inverse) * 100).toFixed(inverse <= 1 ? 0 : nines + (Number.isInteger(Math.log10(inverse)) ? 0 : 2));
}

export const time = (text: string): string => `${text.slice(0, 10)} ${text.slice(11, 19)} UTC`;

export function duration(from: string, to: string): string {
  const seconds = (Date.parse(to) - Date.parse(from)) / 1000;
  return seconds >= 60 ? `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s` : `${seconds.toFixed(1)} s`;
}

/** `signalToCompletion` as `signal to completion`, `walBytes` as `WAL bytes`. */
export const words = (name: string): string =>
  name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`).replace(/\b(wal|cpu)\b/g, word => word.toUpperCase());

export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const seconds = (value: number): string =>
  value >= 120
    ? `${+(value / 60).toPrecision(3)} min`
    : value >= 1 || value === 0
      ? `${+value.toPrecision(3)} s`
      : `${+(value * 1000).toPrecision(3)} ms`;
