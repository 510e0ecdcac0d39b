import { useState } from 'react';

/**
 * The filter with which a log was opened. The route counts the start of a time range back from now whenever it loads, also after the hub
 * was unreachable; the page stays with the first start, since its loaded entries belong to it.
 */
export function useFirstFilter<Filter>(filter: Filter): Filter {
  const [first] = useState(filter);
  return first;
}
