// Runs before the first paint, so that a chosen theme never flashes. External because the policy allows no inline script.
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
  root.dataset.theme = stored('corral.theme', ['light', 'dark', 'system'], 'system');
  root.dataset.density = stored('corral.density', ['compact', 'default', 'touch'], 'default');
  root.dataset.timezone = stored('corral.timezone', ['local', 'utc'], 'local');
  root.dataset.shortcuts = stored('corral.shortcuts', ['on', 'off'], 'on');
})();
