import type { Mark } from '../document';
import { seconds } from '../format';
import type { Theme } from '../theme';

/** A letter of a label, about, and the line of one. */
const letterWidth = 5.6;
const lineHeight = 13;
const mostLines = 4;

const events = (marks: Mark[]) => marks.filter(mark => mark.toSeconds === undefined);
export const spans = (marks: Mark[]) => marks.filter(mark => mark.toSeconds !== undefined);

interface Place {
  left: number;
  right: number;
  line: number;
  isBefore: boolean;
}

const widthOf = (mark: Mark): number => mark.label.length * letterWidth + 8;

/** Whether the label of a span fits into its band. */
const fits = (mark: Mark, end: number, plot: number): boolean => ((mark.toSeconds! - mark.fromSeconds) / end) * plot > widthOf(mark);

/** Where the labels of moments stand: each on the first line on which it is over no other; one that finds none is left out. */
function places(marks: Mark[], end: number, plot: number): (Place | undefined)[] {
  const taken: Place[] = [];
  const first = spans(marks).some(mark => fits(mark, end, plot)) ? 1 : 0;
  return events(marks).map(mark => {
    const at = (mark.fromSeconds / end) * plot;
    const isBefore = at + widthOf(mark) > plot;
    const [left, right] = isBefore ? [at - widthOf(mark), at] : [at, at + widthOf(mark)];
    for (let line = first; line < mostLines; line++) {
      if (left < 0 || taken.some(other => other.line === line && left < other.right && other.left < right)) continue;
      const place = { left, right, line, isBefore };
      taken.push(place);
      return place;
    }
    return undefined;
  });
}

/**
 * Moments as lines and spans as bands, to be laid over a series; what went wrong or was broken on purpose stands out. Labels are drawn
 * where the width of the plot is given.
 */
export function overlay(colours: Theme, marks: Mark[], end: number, plot?: number) {
  const placed = plot === undefined ? [] : places(marks, end, plot);
  return {
    markLine: {
      silent: true,
      symbol: 'none',
      label: { show: false, formatter: '{b}', fontSize: 10, position: 'end' as const },
      data: events(marks).map((mark, index) => {
        const place = placed[index];
        return {
          name: mark.label,
          xAxis: mark.fromSeconds,
          lineStyle: { color: mark.isFault ? colours.bad : colours.quiet, type: 'dashed' as const, width: mark.isFault ? 2 : 1 },
          label: {
            show: place !== undefined,
            color: mark.isFault ? colours.bad : colours.quiet,
            align: place?.isBefore ? ('right' as const) : ('left' as const),
            padding: [0, 4],
            distance: [0, -lineHeight * ((place?.line ?? 0) + 1) - 2],
          },
        };
      }),
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
              label: { show: plot !== undefined && fits(mark, end, plot) },
            },
            { xAxis: mark.toSeconds },
          ] as [object, object],
      ),
    },
  };
}

/** What is measured is hardly shaded, so that what is not stands apart. */
const band = (colours: Theme, mark: Mark) =>
  mark.isFault
    ? { color: colours.bad, opacity: 0.18 }
    : mark.isMeasured
      ? { color: colours.series[0], opacity: 0.05 }
      : { color: colours.quiet, opacity: 0.15 };

/** All marks in words. */
export function told(marks: Mark[]): string {
  const kinds = [...new Set(events(marks).map(mark => mark.label))].map(name => {
    const times = events(marks).filter(mark => mark.label === name).length;
    return times === 1 ? name : `${times} × ${name}`;
  });
  return [
    ...kinds,
    ...spans(marks).map(mark => `${mark.label} of ${seconds(mark.toSeconds! - mark.fromSeconds)} from ${seconds(mark.fromSeconds)} on`),
  ].join(', ');
}
