import { useEffect, useEffectEvent, useState } from 'react';

/** The seconds left while `isRunning`; calls `onEnd` at zero. Starts from the beginning when it is started again. */
export function useCountdown(seconds: number, isRunning: boolean, onEnd: () => void): number {
  const [left, setLeft] = useState(seconds);
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    if (!isRunning) return undefined;
    let passed = 0;
    const ticker = window.setInterval(() => setLeft(Math.max(1, seconds - (passed += 1))), 1000);
    const timer = window.setTimeout(() => end(), seconds * 1000);
    return () => {
      window.clearInterval(ticker);
      window.clearTimeout(timer);
    };
  }, [seconds, isRunning]);
  return left;
}
