/** Reserves the space of a chart that is loading, so that nothing jumps. */
export function ChartSkeleton() {
  return <div class="chart chart-skeleton" aria-hidden="true" />;
}
