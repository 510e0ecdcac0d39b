// Runs before the first paint, so that a chosen theme never flashes and the outline is that of the page. External because the policy allows no inline script.
(function () {
  var root = document.documentElement;
  function stored(key, allowed, fallback) {
    try {
      var value = localStorage.getItem(key);
      return allowed.indexOf(value) >= 0 ? value : fallback;
    } catch {
      return fallback;
    }
  }
  function isUserKnown() {
    try {
      return localStorage.getItem('corral.user') !== null;
    } catch {
      return false;
    }
  }
  var path = location.pathname;
  var isPublic = /^\/(login$|signup|reset-password|set-password|confirm-email|privacy|terms)/.test(path);
  var hasSections =
    /^\/(projects|repositories|settings|admin)(\/.|$)/.test(path) &&
    !/^\/(projects|repositories)$/.test(path);
  root.dataset.outline =
    isPublic || !(isUserKnown() || path.startsWith('/docs'))
      ? 'visitor'
      : hasSections
        ? 'page-with-sections'
        : 'page';
  root.dataset.theme = stored('corral.theme', ['light', 'dark', 'system'], 'system');
  root.dataset.density = stored('corral.density', ['compact', 'default', 'touch'], 'default');
  root.dataset.timezone = stored('corral.timezone', ['local', 'utc'], 'local');
  root.dataset.shortcuts = stored('corral.shortcuts', ['on', 'off'], 'on');
})();
