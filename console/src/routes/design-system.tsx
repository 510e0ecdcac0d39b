import { createFileRoute, Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { BadgeSpecimens } from '../features/design-system/BadgeSpecimens.tsx';
import { ButtonSpecimens } from '../features/design-system/ButtonSpecimens.tsx';
import { ColourSpecimens } from '../features/design-system/ColourSpecimens.tsx';
import { InputSpecimens } from '../features/design-system/InputSpecimens.tsx';
import { OverlaySpecimens } from '../features/design-system/OverlaySpecimens.tsx';
import { PictureSpecimens } from '../features/design-system/PictureSpecimens.tsx';
import { SectionSpecimens } from '../features/design-system/SectionSpecimens.tsx';
import { SplitSpecimens } from '../features/design-system/SplitSpecimens.tsx';
import { TableSpecimens } from '../features/design-system/TableSpecimens.tsx';
import { TextSpecimens } from '../features/design-system/TextSpecimens.tsx';
import { asSearch, searchChoice } from '../parts/search-values.ts';
import { ThemeSwitch } from '../ui/action/ThemeSwitch.tsx';
import { FilterChips } from '../ui/form/FilterChips.tsx';
import { AppHeader } from '../ui/layout/AppHeader.tsx';
import { Page } from '../ui/layout/Page.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';

type DesignSystemSearch = {
  theme?: 'light' | 'dark' | undefined;
  density?: 'compact' | 'touch' | undefined;
  dir?: 'rtl' | undefined;
};

export const Route = createFileRoute('/design-system')({
  validateSearch: (search: Record<string, unknown>): DesignSystemSearch =>
    asSearch({
      theme: searchChoice(search['theme'], ['light', 'dark']),
      density: searchChoice(search['density'], ['compact', 'touch']),
      dir: searchChoice(search['dir'], ['rtl']),
    }),
  component: DesignSystem,
});

/** Shows every component in every state; search parameters set theme, density and direction, for screenshot tests. */
function DesignSystem() {
  const { theme, density, dir } = Route.useSearch();
  const navigate = Route.useNavigate();
  useAttribute('data-theme', theme);
  useAttribute('data-density', density);
  useAttribute('dir', dir);
  return (
    <>
      <AppHeader home={(brand) => <Link to="/design-system">{brand}</Link>}>
        <ThemeSwitch />
      </AppHeader>
      <main id="content">
        <Page>
          <PageHeader
            title="Design system"
            meta="Every part in every state"
            actions={
              <>
                <FilterChips
                  label="Density"
                  value={density ?? 'default'}
                  onValueChange={(value) =>
                    void navigate({
                      search: (old) => ({ ...old, density: value === 'default' ? undefined : value }),
                    })
                  }
                  chips={[
                    { value: 'compact', label: 'Compact' },
                    { value: 'default', label: 'Default' },
                    { value: 'touch', label: 'Touch' },
                  ]}
                />
                <FilterChips
                  label="Direction"
                  value={dir ?? 'ltr'}
                  onValueChange={(value) =>
                    void navigate({ search: (old) => ({ ...old, dir: value === 'rtl' ? value : undefined }) })
                  }
                  chips={[
                    { value: 'ltr', label: 'Left to right' },
                    { value: 'rtl', label: 'Right to left' },
                  ]}
                />
              </>
            }
          />
          <div className="flex flex-col gap-6">
            <ButtonSpecimens />
            <BadgeSpecimens />
            <InputSpecimens />
            <PictureSpecimens />
            <TableSpecimens />
            <SectionSpecimens />
            <SplitSpecimens />
            <TextSpecimens />
            <OverlaySpecimens />
            <ColourSpecimens theme={theme ?? 'system'} />
          </div>
        </Page>
      </main>
    </>
  );
}

// Restores the former value on unmount.
function useAttribute(name: string, value: string | undefined): void {
  useEffect(() => {
    if (value === undefined) return;
    const root = document.documentElement;
    const before = root.getAttribute(name);
    root.setAttribute(name, value);
    return () => (before === null ? root.removeAttribute(name) : root.setAttribute(name, before));
  }, [name, value]);
}
