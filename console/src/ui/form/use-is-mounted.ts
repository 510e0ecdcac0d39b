import { type RefObject, useEffect, useRef } from 'react';

/** Whether the component is still mounted, for code that runs after a call to the hub: its dialog may have been closed meanwhile. */
export function useIsMounted(): RefObject<boolean> {
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
}
