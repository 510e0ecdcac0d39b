import { createFileRoute } from '@tanstack/react-router';
import { DeviceLoginPage } from '../../../features/device-login/DeviceLoginPage.tsx';

export const Route = createFileRoute('/_guard/login/device')({ component: DeviceLogin });

function DeviceLogin() {
  return <DeviceLoginPage userId={Route.useRouteContext().userId} />;
}
