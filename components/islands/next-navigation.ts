/** What stands for `next/navigation` in the script of the public pages, where a link loads its page. */
const router = { push: (url: string) => location.assign(url) }

export const useRouter = () => router
