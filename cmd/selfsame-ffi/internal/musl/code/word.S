// Functions that Go's code calls instead of reading the offset of its thread-local word from a place that only the
// libraries of a process's start have. Each returns the offset of the word below, from the thread pointer, in the
// register that its name ends with, and keeps all other registers and the flags.
//
// The offset comes from a TLS descriptor, which keeps all registers but rax, and takes memory that the dynamic linker
// has made for each thread. 48 bytes of stack suffice with musl.

	.section .tbss, "awT", @nobits
	.p2align 3
word:
	.zero 8

	.text
	.macro offset_in register
	.globl selfsame_musl_word_\register
	.hidden selfsame_musl_word_\register
	.type selfsame_musl_word_\register, @function
	.p2align 4
selfsame_musl_word_\register:
	.ifnc \register, rax
	pushq %rax
	.endif
	lahf
	seto %al
	pushq %rax
	leaq word@tlsdesc(%rip), %rax
	call *word@tlscall(%rax)
	.ifc \register, rax
	pushq %rax
	movq 8(%rsp), %rax
	addb $127, %al // overflows if seto has set it to 1
	sahf
	popq %rax
	leaq 8(%rsp), %rsp
	.else
	movq %rax, %\register
	popq %rax
	addb $127, %al
	sahf
	popq %rax
	.endif
	ret
	.size selfsame_musl_word_\register, . - selfsame_musl_word_\register
	.endm

	.irp register, rax, rcx, rdx, rbx, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15
	offset_in \register
	.endr

	.section .note.GNU-stack, "", @progbits
