// Node never strips types in node_modules, where the project is if it is installed from Git.
if (import.meta.url.includes('/node_modules/')) {
  const {register} = await import('tsx/esm/api')
  register()
}
