import { axis, chartFigure, seriesColour, tooltip, upright } from '../chart';
import type { Ladder, ReportDocument } from '../document';
import { h, section } from '../dom';
import { count, figure, none, percent, sentence, tick } from '../format';

/** How throughput grows with callers, where it stops, and the law that it follows. */
export function capacity(report: ReportDocument): HTMLElement | null {
  return report.ladders.length === 0
    ? null
    : section(
        'capacity',
        'Capacity',
        'The same work with rising numbers of callers. The knee is where more callers bring hardly any throughput while p95 has doubled.',
        ...report.ladders.map(ladder => h('div', {}, h('h3', {}, heading(report, ladder)), figureOf(ladder))),
      );
}

const heading = (report: ReportDocument, { ladder, run }: Ladder): string =>
  `${ladder.backend}, ${ladder.load} load${report.runs.length > 1 ? `, ${run}` : ''}`;

const shapes: Record<string, string> = { comfortable: 'circle', pressure: 'triangle', knee: 'diamond', saturated: 'rect' };

function figureOf({ ladder, curve, sizingNote, fitNote }: Ladder): HTMLElement {
  const law = curve.length > 0;
  const callers = ladder.rungs.map(level => level.concurrency);
  const [fewest, most] = [callers[0]! * 0.9, callers.at(-1)! * 1.12];
  // In the left half a label begins at its line, in the right half it ends there, and each has a line of text for itself.
  const mark = (name: string, at: number | undefined, colour: string, line: number) =>
    at === undefined
      ? []
      : [
          {
            name,
            xAxis: at,
            lineStyle: { color: colour },
            label: {
              distance: [0, 2 + 14 * line],
              align: Math.log(at / fewest) < Math.log(most / fewest) / 2 ? ('left' as const) : ('right' as const),
            },
          },
        ];
  return chartFigure({
    title: sentence(sizingNote),
    summary: `Universal Scalability Law: ${fitNote}`,
    height: 376,
    legends: [
      {
        series: [
          { name: 'operations/s', colour: seriesColour(0) },
          ...(law ? [{ name: 'law', colour: seriesColour(1), dashes: 'dashed' as const }] : []),
          { name: 'p95 ms', colour: seriesColour(2), dashes: 'dotted' as const },
        ],
      },
    ],
    option: colours => ({
      grid: { left: 64, right: 64, top: 54, bottom: 48 },
      tooltip: { ...tooltip(colours), trigger: 'axis', valueFormatter: value => figure(value as number | null) },
      xAxis: axis(colours, 'callers, logarithmic', {
        type: 'log',
        logBase: 2,
        min: fewest,
        max: most,
        nameLocation: 'middle',
        nameGap: 28,
        splitLine: { show: false },
        axisLabel: { formatter: tick, customValues: callers },
        axisTick: { customValues: callers },
      }) as object,
      yAxis: [
        upright(colours, 'operations/s', { nameGap: 36, nameTextStyle: { align: 'right' } }),
        upright(colours, 'p95 ms', { nameGap: 36, splitLine: { show: false } }),
      ] as object[],
      series: [
        {
          type: 'line',
          name: 'operations/s',
          symbolSize: 9,
          lineStyle: { width: 2 },
          data: ladder.rungs.map(level => ({
            value: [level.concurrency, level.throughputPerSecond],
            symbol: shapes[level.verdict] ?? 'circle',
          })),
          markLine: {
            silent: true,
            symbol: 'none',
            label: { formatter: '{b}', color: colours.text, fontSize: 11, position: 'end' },
            data: [...mark('last comfortable', ladder.lastComfortable, colours.good, 0), ...mark('knee', ladder.knee, colours.bad, 1)],
          },
        },
        ...(law ? [{ type: 'line' as const, name: 'law', showSymbol: false, lineStyle: { type: 'dashed' as const }, data: curve }] : []),
        {
          type: 'line',
          name: 'p95 ms',
          yAxisIndex: 1,
          symbolSize: 6,
          lineStyle: { width: 1.5, type: 'dotted' as const },
          color: colours.series[2],
          data: ladder.rungs.map(level => [level.concurrency, level.p95Ms]),
        },
      ],
    }),
    table: () => ({
      caption: 'Levels',
      columns: [
        { name: 'Callers' },
        { name: 'Throughput/s' },
        { name: 'Growth' },
        { name: 'P95 ms' },
        { name: 'P95 ratio' },
        { name: 'Verdict', isText: true },
      ],
      rows: ladder.rungs.map(level => [
        count(level.concurrency),
        figure(level.throughputPerSecond),
        percent(level.growth),
        figure(level.p95Ms),
        level.p95Ratio === undefined ? none : figure(level.p95Ratio),
        level.verdict,
      ]),
    }),
  });
}
