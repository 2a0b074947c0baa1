/** Keeps the place of a chart that is not there yet, so that nothing jumps. */
export function ChartSkeleton() {
  return <div class="chart chart-skeleton" aria-hidden="true" />;
}
