/**
 * The shape of an exports map in a published package: one entry per subpath, the same for all. A manifest says only which subpaths
 * there are; everything else (the four files of each, and the fields for tools that read no exports maps) follows from that.
 */

/** The subpaths of a package that stand for code: all but `./package.json`. */
export function subpathsOf(manifest) {
  return Object.keys(manifest.exports ?? {}).filter((subpath) => subpath !== './package.json');
}

/** `.` is built from and into `index`, `./storage` into `storage`. */
export function entryName(subpath) {
  return subpath === '.' ? 'index' : subpath.slice('./'.length);
}

/** What `exports[subpath]` must be. Types stand first: resolution takes the first condition that matches. */
export function entryPoint(name) {
  return {
    import: { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` },
    require: { types: `./dist/${name}.d.cts`, default: `./dist/${name}.cjs` },
  };
}

/** The fields that say where things are, in the order in which a manifest lists them. */
export function entryFields(manifest) {
  const names = subpathsOf(manifest).map(entryName);
  const below = names.filter((name) => name !== 'index');
  // TypeScript's `node10` resolution reads no exports maps, and finds the types of subpaths here.
  const typesVersions = { '*': Object.fromEntries(below.map((name) => [name, [`./dist/${name}.d.cts`]])) };
  return {
    main: './dist/index.cjs',
    module: './dist/index.js',
    types: './dist/index.d.cts',
    ...(below.length === 0 ? {} : { typesVersions }),
    exports: {
      ...Object.fromEntries(subpathsOf(manifest).map((subpath) => [subpath, entryPoint(entryName(subpath))])),
      './package.json': './package.json',
    },
  };
}
