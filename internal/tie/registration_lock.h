// Private to selfsame: the function behind registration_lock of the tie table (registration_lock.c). Any thread.
#ifndef SELFSAME_INTERNAL_TIE_REGISTRATION_LOCK_H_
#define SELFSAME_INTERNAL_TIE_REGISTRATION_LOCK_H_

// 1 takes the lock, and waits for it as long as it takes; 0 gives it back.
void ss_registration_lock(int on);

#endif  // SELFSAME_INTERNAL_TIE_REGISTRATION_LOCK_H_
