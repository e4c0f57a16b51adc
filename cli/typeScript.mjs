// Node strips types unless it is told not to, and never in node_modules, where the project is if it is installed from Git.
if (!process.features.typescript || import.meta.url.includes('/node_modules/')) {
  const {register} = await import('tsx/esm/api')
  register()
}
