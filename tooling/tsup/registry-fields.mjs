/** What a published manifest says of the project, from the root's manifest: where it lives, and that a build can be traced to it. */
export function registryFields(rootManifest, folder) {
  const { url } = rootManifest.repository;
  const address = url.replace(/^git\+|\.git$/g, '');
  return {
    homepage: `${address}/tree/main/${folder}#readme`,
    bugs: rootManifest.bugs,
    repository: { ...rootManifest.repository, directory: folder },
    publishConfig: { access: 'public', provenance: true },
  };
}
