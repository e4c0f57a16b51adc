import {statfs} from 'node:fs/promises'
import {Gauge, type Registry} from 'prom-client'

/**
 * Adds the gauges `<prefix>_disk_free_bytes` and `<prefix>_disk_size_bytes`, of the disk that a folder is on. They are missing
 * while that cannot be read.
 */
export function measureDisk(registry: Registry, prefix: string, folder: string): void {
  const gauge = (name: string, help: string, read: (disk: {free: number; size: number}) => number) =>
    new Gauge({
      name: `${prefix}_disk_${name}_bytes`,
      help,
      registers: [registry],
      async collect() {
        const disk = await statfs(folder).catch(() => undefined)
        if (disk === undefined) this.remove()
        else this.set(read({free: disk.bavail * disk.bsize, size: disk.blocks * disk.bsize}))
      },
    })
  gauge('free', 'Free bytes of the disk with the state of this process.', ({free}) => free)
  gauge('size', 'Size of the disk with the state of this process, in bytes.', ({size}) => size)
}
