import { useRouterState } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { useDelayed } from '../ui/layout/use-delayed.ts';
import { SplashScreen } from './SplashScreen.tsx';

/** Shows the splash screen from 150 ms after the start until the router shows its first page, which may take 1000 ms and more. */
export function FirstScreen({ children }: { children: ReactNode }): ReactElement {
  const isEmpty = useRouterState({ select: ({ matches }) => matches.length === 0 });
  const isLate = useDelayed(150);
  return (
    <>
      {isEmpty && isLate && <SplashScreen />}
      {children}
    </>
  );
}
