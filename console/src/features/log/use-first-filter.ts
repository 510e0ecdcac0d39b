import { useState } from 'react';

/** The filter with which a log was opened: its time range keeps its first start, to which the loaded entries belong. */
export function useFirstFilter<Filter>(filter: Filter): Filter {
  const [first] = useState(filter);
  return first;
}
