import { useEffect } from 'react';

let page = '';
let scope = '';

/** Sets the name of the page, the first part of the document's title. */
export function setPageTitle(name: string): void {
  page = name;
  show();
}

/** Names what the pages are about while the component is mounted, such as a project: the middle of the document's title. */
export function useTitleScope(name: string): void {
  useEffect(() => {
    scope = name;
    show();
    return () => {
      scope = '';
      show();
    };
  }, [name]);
}

function show(): void {
  document.title = [page, scope, 'Corral']
    .filter((part, index, parts) => part !== '' && part !== parts[index - 1])
    .join(' · ');
}
