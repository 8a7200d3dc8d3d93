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

/** Subpaths with a `node` condition: Node has a build of its own for them, `index-node` beside `index`. */
export function subpathsForNode(manifest) {
  return subpathsOf(manifest).filter((subpath) => 'node' in Object(manifest.exports[subpath]));
}

/** The build that Node alone takes. */
export function nodeEntryName(subpath) {
  return `${entryName(subpath)}-node`;
}

/** What `exports[subpath]` must be. Types stand first: resolution takes the first condition that matches. */
function entryPoint(subpath, hasNodeBuild = false) {
  const name = entryName(subpath);
  if (!hasNodeBuild) return pointsTo(name, name);
  // Bundlers look for `module`, which Node does not know, and must not get what loads packages behind their back.
  const { import: whole, require } = pointsTo(name, name);
  return { module: whole, node: pointsTo(nodeEntryName(subpath), name), import: whole, require };
}

function pointsTo(name, typesName) {
  return {
    import: { types: `./dist/${typesName}.d.ts`, default: `./dist/${name}.js` },
    require: { types: `./dist/${typesName}.d.cts`, default: `./dist/${name}.cjs` },
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
      ...Object.fromEntries(
        subpathsOf(manifest).map((subpath) => [
          subpath,
          entryPoint(subpath, subpathsForNode(manifest).includes(subpath)),
        ]),
      ),
      './package.json': './package.json',
    },
  };
}
