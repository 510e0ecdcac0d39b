import { Menu as MenuIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { terms } from '../../copy/terms.ts';
import { uiCopy } from '../copy.ts';
import { Button } from '../action/Button.tsx';
import { BetaBadge } from '../badge/BetaBadge.tsx';
import { Logo } from '../picture/Logo.tsx';

/**
 * The header. `home` renders the link around logo and name; `navigation` holds NavLink elements; `children` are at the end
 * (palette field, live dot, account menu). With `onOpenNavigation` a menu button shows below 640 px.
 */
export function AppHeader({
  home,
  navigation,
  children,
  onOpenNavigation,
}: {
  home: (brand: ReactNode) => ReactNode;
  navigation?: ReactNode;
  children?: ReactNode;
  onOpenNavigation?: (() => void) | undefined;
}) {
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-surface print:hidden">
      <div className="flex h-[calc(var(--header-height)-1px)] items-center gap-2 px-6 max-sm:px-3">
        {onOpenNavigation !== undefined && (
          <span className="sm:hidden">
            <Button
              icon={<MenuIcon size={18} aria-hidden />}
              label={uiCopy.shell.openNavigation}
              onClick={onOpenNavigation}
            />
          </span>
        )}
        {home(
          <span className="flex items-center gap-2.5 text-ink">
            <Logo className="text-denim" />
            <span className="text-[1.0625rem] font-bold">{terms.product}</span>
          </span>,
        )}
        {/* Where there is no room for the badge, it wraps out of sight. */}
        <span className="flex h-5 min-w-0 shrink-[999] flex-wrap overflow-hidden">
          <span className="h-5" />
          <BetaBadge />
        </span>
        {navigation !== undefined && (
          <nav aria-label={uiCopy.shell.mainNavigation} className="ms-5 flex gap-1 max-sm:hidden">
            {navigation}
          </nav>
        )}
        <div className="ms-auto flex min-w-0 items-center gap-4 max-sm:gap-2">{children}</div>
      </div>
    </header>
  );
}
