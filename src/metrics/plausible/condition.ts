/** Condition on the texts of a dimension. */
export type Condition = {
  /** `stars`: the texts between a pattern's stars occur one after another. */
  operator: 'is' | 'contains' | 'starts_with' | 'ends_with' | 'matches' | 'stars';
  values: readonly string[];
  /** Applies to `is`; the other operators always ignore case. */
  ignoresCase?: boolean;
};
