import { createFileRoute, Link, Outlet } from '@tanstack/react-router';
import { ThemeSwitch } from '../ui/action/ThemeSwitch.tsx';
import { AppHeader } from '../ui/layout/AppHeader.tsx';

export const Route = createFileRoute('/docs')({ component: DocumentationLayout });

function DocumentationLayout() {
  return (
    <>
      <AppHeader home={(brand) => <Link to="/">{brand}</Link>}>
        <ThemeSwitch />
      </AppHeader>
      <main id="content">
        <Outlet />
      </main>
    </>
  );
}
