import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

/**
 * The exports of the package `name`, which is loaded when one of them is first accessed. Like a module's own namespace it can be read and
 * listed but not changed. Before the first access, `console.log` shows it empty.
 */
export function lazyNamespace<Module extends object>(name: string): Module {
  const exported: object = Object.create(null);
  let isLoaded = false;
  const whole = (): object => {
    if (isLoaded) return exported;
    const found = loadPackage(name);
    for (const key of Object.keys(found)) Object.assign(exported, { [key]: found[key] });
    isLoaded = true;
    return Object.freeze(exported);
  };
  return new Proxy(exported, {
    get: (_, key) => Reflect.get(whole(), key),
    has: (_, key) => Reflect.has(whole(), key),
    ownKeys: () => Reflect.ownKeys(whole()),
    getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(whole(), key),
    isExtensible: () => Reflect.isExtensible(whole()),
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
  }) as Module;
}

/**
 * The same copy of the package that `import` returns, so that a namespace and its subpath are one; the CommonJS copy from CommonJS and
 * where a module cannot be required.
 */
function loadPackage(name: string): Record<string, unknown> {
  const { require_module: canRequireModules } = process.features as { require_module?: boolean };
  // The CommonJS build has no `import.meta`.
  const isModule = typeof import.meta.resolve === 'function';
  return isModule && canRequireModules === true ? require(fileURLToPath(import.meta.resolve(name))) : require(name);
}
