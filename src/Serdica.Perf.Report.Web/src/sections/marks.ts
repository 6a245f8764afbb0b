import type { Mark } from '../document';
import { seconds } from '../format';
import type { Theme } from '../theme';

/** About as wide as a chart is, and a letter of its labels. */
const chartWidth = 1000;
const letterWidth = 5.5;

const events = (marks: Mark[]) => marks.filter(mark => mark.toSeconds === undefined);
export const spans = (marks: Mark[]) => marks.filter(mark => mark.toSeconds !== undefined);

/** Moments as lines and spans as bands, to be laid over a series; what went wrong or was broken on purpose stands out. */
export const overlay = (colours: Theme, marks: Mark[], end: number, withLabels: boolean) => ({
  markLine: {
    silent: true,
    symbol: 'none',
    label: { show: withLabels, formatter: '{b}', color: colours.quiet, fontSize: 10, position: 'insideEndTop' as const },
    data: events(marks).map(mark => ({
      name: mark.label,
      xAxis: mark.fromSeconds,
      lineStyle: { color: mark.isFault ? colours.bad : colours.quiet, type: 'dashed' as const, width: mark.isFault ? 2 : 1 },
      label: { color: mark.isFault ? colours.bad : colours.quiet },
    })),
  },
  markArea: {
    silent: true,
    label: { color: colours.quiet, fontSize: 10, position: 'insideTop' as const },
    data: spans(marks).map(
      mark =>
        [
          {
            name: mark.label,
            xAxis: mark.fromSeconds,
            itemStyle: band(colours, mark),
            label: { show: withLabels && ((mark.toSeconds! - mark.fromSeconds) / end) * chartWidth > mark.label.length * letterWidth },
          },
          { xAxis: mark.toSeconds },
        ] as [object, object],
    ),
  },
});

/** What is measured is hardly shaded, so that what is not stands apart. */
const band = (colours: Theme, mark: Mark) =>
  mark.isFault
    ? { color: colours.bad, opacity: 0.18 }
    : mark.isMeasured
      ? { color: colours.series[0], opacity: 0.05 }
      : { color: colours.quiet, opacity: 0.15 };

/** All marks in words. */
export function told(marks: Mark[]): string {
  const kinds = [...new Set(events(marks).map(mark => mark.label))].map(
    name => `${events(marks).filter(mark => mark.label === name).length} × ${name}`,
  );
  return [
    ...kinds,
    ...spans(marks).map(mark => `${mark.label} of ${seconds(mark.toSeconds! - mark.fromSeconds)} from ${seconds(mark.fromSeconds)} on`),
  ].join(', ');
}
