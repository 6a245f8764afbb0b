import { axis, chartFigure, tooltip, upright } from '../chart';
import type { Trend } from '../document';
import { section } from '../dom';
import { figure, time } from '../format';

/** Figures over many commits, with the points from which on the level is another. */
export function trend(trends: Trend[]): HTMLElement {
  return trends.length === 0
    ? section('trend', 'Trend', 'There is no history of these scenarios, so there is no trend to show.')
    : section(
        'trend',
        'Trend',
        'One point for each commit. A vertical line marks where the level changed by more than its noise.',
        ...trends.map(figureOf),
      );
}

function figureOf(data: Trend): HTMLElement {
  const { points, changePoints } = data;
  return chartFigure({
    title: `${data.name}${data.unit === undefined ? '' : `, ${data.unit}`}.`,
    summary: `${points.length} commits, ${changePoints.length} change point${changePoints.length === 1 ? '' : 's'}.`,
    height: 260,
    option: colours => ({
      grid: { left: 64, right: 24, top: 32, bottom: 40 },
      tooltip: {
        ...tooltip(colours, items => {
          const point = points[(items as { dataIndex: number }[])[0]!.dataIndex]!;
          return `${point.commit.slice(0, 12)}, ${time(point.at)}: ${figure(point.value)} ${data.unit ?? ''}`;
        }),
        trigger: 'axis',
      },
      xAxis: axis(colours, '', {
        type: 'category',
        data: points.map(point => point.at.slice(0, 10)),
        splitLine: { show: false },
      }) as object,
      yAxis: upright(colours, data.unit ?? '', { scale: true }) as object,
      series: [
        {
          type: 'line',
          symbolSize: 5,
          showAllSymbol: true,
          data: points.map(point => point.value),
          markLine: {
            silent: true,
            symbol: 'none',
            label: { show: false },
            lineStyle: { color: colours.bad },
            data: changePoints.map(index => ({ xAxis: index })),
          },
        },
      ],
    }),
    table: () => ({
      caption: data.name,
      columns: [
        { name: 'Commit', isText: true },
        { name: 'When', isText: true },
        { name: data.unit ?? 'Value' },
        { name: 'Level changed', isText: true },
      ],
      rows: points.map((point, index) => [point.commit, time(point.at), figure(point.value), changePoints.includes(index) ? 'here' : '']),
    }),
  });
}
