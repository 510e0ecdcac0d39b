import { Link } from '@tanstack/react-router';
import { packageLink } from './package-columns.tsx';
import type { PackageParams } from './package/version-columns.tsx';

/** The crumb of a package, on the pages below it. */
export function PackageCrumb({ params, name }: { params: PackageParams; name: string }) {
  return <Link {...packageLink(params.repositoryId, params.packageId)}>{name}</Link>;
}
