import { type CpOptions, InMemoryFs } from 'just-bash'

/** The package's file system reads through links but writes beside them; here both go where a link leads. */
export class PodFs extends InMemoryFs {
  #hasLinks = false

  /** Where a path leads; its last part is followed too unless it is meant itself. */
  async #where(path: string, isMeantItself = false): Promise<string> {
    if (!this.#hasLinks) return path
    let done = ''
    let left = this.resolvePath('/', path).split('/').slice(1)
    for (let links = 0; left.length > 0 && links < 40; ) {
      const [part = '', ...rest] = left
      const next = `${done}/${part}`
      const to = isMeantItself && rest.length === 0 ? null : await this.readlink(next).catch(() => null)
      links += to === null ? 0 : 1
      left =
        to === null
          ? rest
          : [
              ...this.resolvePath(done || '/', to)
                .split('/')
                .slice(1),
              ...rest,
            ]
      done = to === null ? next : ''
    }
    return left.length > 0 ? path : done
  }

  override async writeFile(path: string, ...rest: Rest<'writeFile'>) {
    return super.writeFile(await this.#where(path), ...rest)
  }
  override async appendFile(path: string, ...rest: Rest<'appendFile'>) {
    return super.appendFile(await this.#where(path), ...rest)
  }
  override async mkdir(path: string, ...rest: Rest<'mkdir'>) {
    return super.mkdir(await this.#where(path), ...rest)
  }
  override async chmod(path: string, mode: number) {
    return super.chmod(await this.#where(path), mode)
  }
  override async utimes(path: string, ...rest: Rest<'utimes'>) {
    return super.utimes(await this.#where(path), ...rest)
  }
  override async rm(path: string, ...rest: Rest<'rm'>) {
    return super.rm(await this.#where(path, true), ...rest)
  }
  override async cp(from: string, to: string, options?: CpOptions) {
    return super.cp(await this.#where(from, true), await this.#where(to), options)
  }
  override async mv(from: string, to: string) {
    return super.mv(await this.#where(from, true), await this.#where(to, true))
  }
  override async link(from: string, to: string) {
    return super.link(await this.#where(from), await this.#where(to, true))
  }
  override async symlink(target: string, path: string) {
    this.#hasLinks = true
    return super.symlink(target, await this.#where(path, true))
  }
}

/** What a method takes after its path. */
type Rest<K extends 'writeFile' | 'appendFile' | 'mkdir' | 'utimes' | 'rm'> =
  Parameters<InMemoryFs[K]> extends [string, ...infer Others] ? Others : never
