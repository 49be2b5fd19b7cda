// For each function of word.S one that calls it with chosen registers and flags: test_REGISTER(in, out), where both are
// 15 registers and the flags.
	.text
	.macro test register
	.globl test_\register
	.type test_\register, @function
test_\register:
	.irp kept, rbx, rbp, r12, r13, r14, r15, rsi
	pushq %\kept
	.endr
	pushq 120(%rdi)
	movq 0(%rdi), %rax
	movq 8(%rdi), %rcx
	movq 16(%rdi), %rdx
	movq 24(%rdi), %rbx
	movq 32(%rdi), %rbp
	movq 40(%rdi), %rsi
	movq 56(%rdi), %r8
	movq 64(%rdi), %r9
	movq 72(%rdi), %r10
	movq 80(%rdi), %r11
	movq 88(%rdi), %r12
	movq 96(%rdi), %r13
	movq 104(%rdi), %r14
	movq 112(%rdi), %r15
	movq 48(%rdi), %rdi
	popfq
	call selfsame_musl_word_\register
	pushfq
	.irp kept, r15, r14, r13, r12, r11, r10, r9, r8, rdi, rsi, rbp, rbx, rdx, rcx, rax
	pushq %\kept
	.endr
	cld
	movq 128(%rsp), %rdi
	movq %rsp, %rsi
	movl $16, %ecx
	rep movsq
	addq $136, %rsp
	.irp kept, r15, r14, r13, r12, rbp, rbx
	popq %\kept
	.endr
	ret
	.size test_\register, . - test_\register
	.endm

	.irp register, rax, rcx, rdx, rbx, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15
	test \register
	.endr
	.section .note.GNU-stack, "", @progbits
