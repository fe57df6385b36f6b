import { cn } from '../ui/cn'

/** A toll barrier: a post, and a striped arm that is raised. */
const Logo = ({ className }: { className?: string }) => (
  <svg viewBox="0 0 20 20" aria-hidden="true" className={cn('size-5', className)}>
    <path d="M3 18V9" stroke="currentColor" strokeWidth="3.2" strokeLinecap="round" />
    <path d="M4 9 17.2 3.6" stroke="var(--accent)" strokeWidth="3" strokeLinecap="round" />
    <path d="m8.1 7.3 1.9-.77M12.4 5.55l1.9-.77" stroke="var(--raised)" strokeWidth="2.4" />
  </svg>
)

export const LogoWithName = () => (
  <span className="inline-flex items-center gap-2 font-semibold tracking-tight">
    <Logo />
    Tollgate
  </span>
)
