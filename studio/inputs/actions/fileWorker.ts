import {loadFile} from './loadFile.ts'

addEventListener('message', ({data}: MessageEvent<unknown>) => {
  void loadFile(String(data)).then((loaded) => postMessage(loaded))
})
