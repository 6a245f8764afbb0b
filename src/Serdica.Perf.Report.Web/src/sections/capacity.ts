import { axis, chartFigure, seriesColour, tooltip } from '../chart';
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
  return chartFigure({
    title: sentence(sizingNote),
    summary: `Universal Scalability Law: ${fitNote}`,
    height: 356,
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
      grid: { left: 64, right: 64, top: 34, bottom: 48 },
      tooltip: { ...tooltip(colours), trigger: 'axis', valueFormatter: value => figure(value as number | null) },
      xAxis: axis(colours, 'callers, logarithmic', {
        type: 'log',
        logBase: 2,
        splitNumber: Math.ceil(Math.log2(ladder.rungs.at(-1)!.concurrency / ladder.rungs[0]!.concurrency)),
        min: ladder.rungs[0]!.concurrency * 0.9,
        max: ladder.rungs.at(-1)!.concurrency * 1.12,
        nameLocation: 'middle',
        nameGap: 28,
        splitLine: { show: false },
        axisLabel: { color: colours.quiet, formatter: tick, showMinLabel: false, showMaxLabel: false },
      }) as object,
      yAxis: [
        axis(colours, 'operations/s', { type: 'value', axisLabel: { color: colours.quiet, formatter: tick } }),
        axis(colours, 'p95 ms', { type: 'value', splitLine: { show: false }, axisLabel: { color: colours.quiet, formatter: tick } }),
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
            label: { formatter: '{b}', color: colours.text, position: 'insideMiddleTop' },
            data: [
              ...(ladder.knee === undefined ? [] : [{ name: 'knee', xAxis: ladder.knee, lineStyle: { color: colours.bad } }]),
              ...(ladder.lastComfortable === undefined
                ? []
                : [{ name: 'last comfortable', xAxis: ladder.lastComfortable, lineStyle: { color: colours.good } }]),
            ],
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
