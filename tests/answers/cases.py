"""Cases of the choice reader by kind: (response, reading). A reading is a label or a status. Written for these tests."""

from __future__ import annotations

DRUGS = dict(zip("ABCDE", ("Aspirin", "Ceftriaxone", "Beta blocker", "CT scan", "Observation alone"), strict=True))
"""The options unless a group names others."""

Case = tuple[str, str]

FORMS: list[Case] = [
    ("B", "B"), ("(B)", "B"), ("B.", "B"), ("B)", "B"), ("[B]", "B"), ("**B**", "B"), ("__B__", "B"), ("`B`", "B"), ('"B"', "B"), ("'B'", "B"),
    ("  B \n", "B"), ("B\n", "B"), ("b", "B"), ("(b)", "B"), ("b.", "B"), ("*(B)*", "B"), ("B!", "B"), ("# B", "B"), ("> B", "B"), ("- B", "B"),
    ("$B$", "B"), (r"$\boxed{B}$", "B"), (r"\boxed{B}", "B"), (r"\boxed{\text{B}}", "B"), (r"\boxed{\textbf{B}}", "B"), (r"\boxed{\mathrm{B}}", "B"),
    (r"\boxed{(B)}", "B"), (r"\boxed{B.}", "B"), (r"\boxed{B. Ceftriaxone}", "B"), (r"\boxed{B) Ceftriaxone}", "B"), (r"\boxed{\text{B. Ceftriaxone}}", "B"),
    (r"\boxed{Ceftriaxone}", "B"), (r"\boxed{\text{Ceftriaxone}}", "B"), (r"\boxed{\text{Option B}}", "B"), (r"\boxed{ B }", "B"), (r"$$\boxed{\mathbf{B}}$$", "B"),
    (r"\boxed{b}", "B"), (r"\fbox{B}", "B"), (r"\[\boxed{B}\]", "B"), (r"First \boxed{A}, no: \boxed{B}", "B"), (r"\boxed{B", "B"), (r"\boxed{A, C}", "several"),
    (r"\boxed{\text{The answer is B}}", "B"), (r"\boxed{X}", "unparsed"), (r"\boxed{}", "unparsed"), (r"\boxed{AB}", "unparsed"), (r"\boxed{42}", "unparsed"),
    ("<answer>B</answer>", "B"), ("<answer> B </answer>", "B"), ("<answer>\nB\n</answer>", "B"), ("<ANSWER>B</ANSWER>", "B"), ("<answer>(B)</answer>", "B"),
    ("<answer>B. Ceftriaxone</answer>", "B"), ("<answer>Ceftriaxone</answer>", "B"), ("<answer>ceftriaxone</answer>", "B"), ("<answer>**B**</answer>", "B"),
    ("<answer>The answer is B.</answer>", "B"), ("<answer>Option B</answer>", "B"), ("<final_answer>B</final_answer>", "B"), ("<choice>B</choice>", "B"),
    ("<answer>B", "B"), ("Reasoning.\n<answer>B\n", "B"), ("B</answer>", "B"), ("<answer>A</answer> On reflection: <answer>B</answer>", "B"),
    ("I must put it in <answer> tags. <answer>B</answer>", "B"), ("Format: <answer>LETTER</answer>. So <answer>B</answer>", "B"),
    ("<answer>B</answer> (as <answer>LETTER</answer> was asked for)", "B"), ("<answer>LETTER</answer>", "unparsed"), ("<answer>X</answer>", "unparsed"),
    ("<answer>[letter]</answer>", "unparsed"), ("<answer>your answer here</answer>", "unparsed"), ("<answer>A|B|C|D|E</answer>", "unparsed"), ("<answer></answer>", "unparsed"),
    ("<answer>AB</answer>", "unparsed"), ("<answer>F</answer>", "unparsed"), ("<answer>A and C</answer>", "several"), ("<answer>A, C</answer>", "several"), ("<answer>A/C</answer>", "several"),
    ("<answer>I don't know</answer>", "abstained"), ("<answer>None of the above</answer>", "abstained"), ("<answer>\\boxed{B}</answer>", "B"), ("<answer>{\"answer\": \"B\"}</answer>", "B"),
    ('{"answer": "B"}', "B"), ('{"answer":"B"}', "B"), ('{"answer_choice": "B"}', "B"), ('{"final_answer": "B"}', "B"), ('{"answer": "B. Ceftriaxone"}', "B"), ('{"answer": "Ceftriaxone"}', "B"),
    ('{"choice": "B", "confidence": 0.9}', "B"), ('{"reasoning": "The answer is A at first sight", "answer": "B"}', "B"), ('```json\n{"answer": "B"}\n```', "B"), ('Here: ```\n{ "answer" : "b" }\n```', "B"),
    ('{"thoughts": "long", "answer_choice": "B', "B"), ('{"thoughts": "A is out", "answer_choice": "B. Ceft', "B"), ("{'answer': 'B'}", "B"), ('{"answer": ["B"]}', "B"), ('{"answer": ["A", "C"]}', "several"),
    ('{"answer": "A or C"}', "several"), ('{"answer": "F"}', "unparsed"), ('{"answer": null}', "abstained"), ('{"selected_option": "B"}', "B"), ('{"correct_answer": "B"}', "B"), ('{"answer_letter": "B", "answer_text": "Ceftriaxone"}', "B"),
    ('{"answer": "A"}\n{"answer": "B"}', "B"), ('{"answer": {"letter": "B"}}', "B"),
    ("Answer: B", "B"), ("Answer: B) Ceftriaxone", "B"), ("Answer: (B)", "B"), ("Answer:B", "B"), ("Answer - B", "B"), ("Answer = B", "B"), ("ANSWER: B", "B"), ("answer: b", "B"), ("Answer\n\nB", "B"), ("## Answer\nB. Ceftriaxone", "B"),
    ("**Answer:** B", "B"), ("**Answer**: B", "B"), ("**Answer: B**", "B"), ("**Final Answer: B**", "B"), ("### Final Answer\n\n**B. Ceftriaxone**", "B"), ("Final answer: **B**", "B"), ("Final Answer\n: B", "B"), ("The final answer is $\\boxed{B}$.", "B"),
    ("Answer: Ceftriaxone", "B"), ("Answer: **Ceftriaxone**", "B"), ("Answer: $LETTER", "unparsed"), ("Answer: [LETTER]", "unparsed"), ("Answer: X", "unparsed"), ("Answer:", "unparsed"), ("Answer: F", "unparsed"), ("Answer: AB", "unparsed"),
    ("Option B", "B"), ("option b.", "B"), ("choice B", "B"), ("Choice: B", "B"), ("Option: B", "B"), ("B: Ceftriaxone", "B"), ("(B) Ceftriaxone", "B"), ("B - Ceftriaxone", "B"), ("B – Ceftriaxone", "B"), ("B Ceftriaxone", "B"), ("B.Ceftriaxone", "B"), ("B. ceftriaxone", "B"),
    ("**B. Ceftriaxone**", "B"), ("**B)** Ceftriaxone", "B"), ("**(B) Ceftriaxone** is what I take.", "B"), ("Ceftriaxone", "B"), ("ceftriaxone.", "B"), ("**Ceftriaxone**", "B"), ("Ceftriaxone (B)", "B"), ("Correct option: B", "B"), ("Correct answer: B", "B"),
]  # fmt: skip

STATED: list[Case] = [
    (f"{lead}{verb} {shape}", "B")
    for lead, verb in (("The answer", " is"), ("The correct answer", " is"), ("So the best answer", " would be"), ("Therefore, the correct option", " is"), ("My final answer", " is:"),
                       ("Hence the right choice", " must be"), ("The most appropriate answer", " is therefore"), ("I would say the answer", " is"))
    for shape in ("B.", "(B).", "**B**", "option B", "B) Ceftriaxone", "Ceftriaxone.", "\n\n**(B) Ceftriaxone**")
] + [
    ("The answer is B, so a CT scan is needed", "B"), ("The answer is B because A is contraindicated", "B"), ("It is B. I am certain.", "B"), ("It's B.", "B"), ("not C, the answer is D", "D"), ("The answer is not C but D.", "D"), ("The answer is not C, but rather D.", "D"),
    ("A is tempting, but the correct answer is D.", "D"), ("Although A is tempting, D is correct.", "D"), ("B is the correct answer.", "B"), ("(B) is correct.", "B"), ("Option B is the best choice.", "B"), ("Ceftriaxone is the correct answer.", "B"), ("B would be the most appropriate option.", "B"),
    ("**Ceftriaxone (B)** is the most suitable choice here.", "B"), ("The best next step is to start treatment (option B).", "B"), ("The most likely diagnosis is **B**.", "B"), ("I choose B.", "B"), ("I would choose option B", "B"), ("I'd go with B.", "B"), ("We select (B).", "B"), ("Therefore, B.", "B"), ("So the answer must be B", "B"),
    ("The answer is B. Wait, actually C.", "C"), ("The answer is B. Hmm, no, it should be C.", "C"), ("Answer: B\nCorrection: C", "C"), ("The answer is A. On second thought, the answer is D.", "D"), ("I first thought the answer was A. The answer is D.", "D"), ("Answer: A\n\nActually, the correct answer is B.", "B"),
    ("The correct answer is B. A is wrong because it is too weak. C is for later.", "B"), ("The answer is (B).\n\nA: too weak.\nC: too late.\nD: no.\nE: no.", "B"), ("B\n\nA is wrong. C is wrong. D would be right only in trauma.", "B"), ("A is wrong because x.\nB is right because y.\nC is wrong.\n\nThe answer is B.", "B"),
    ("We can rule out A. We can rule out C and D. That leaves B.\n\nFinal answer: B", "B"), ("Not A. Not C. Not D. Answer: B", "B"), ("The answer is A or B, but B is more likely.", "B"), ("A or B, but B is more likely", "B"), ("No doubt that the answer is B.", "B"), ("There is no question: the answer is B.", "B"),
    ("Based on the findings, the answer to this question is B.", "B"), ("The answer, given the fever, is B.", "B"), ("The answer should be B (Ceftriaxone).", "B"), ("I believe the answer is B", "B"), ("the answer is b", "B"), ("THE ANSWER IS B", "B"), ("The answer is: B", "B"), ("The answer is \"B\".", "B"), ("The answer is 'B'", "B"), ("The answer is option (B): Ceftriaxone", "B"),
    ("| Option | Verdict |\n|---|---|\n| A | no |\n| B | yes |\n\n**Answer:** B", "B"), ("The answer is B; the others are wrong.", "B"), ("The answer is B—nothing else fits.", "B"), ("The answer is B\n\nQuestion: What is next?\nAnswer: C", "B"), ("Answer: B<|im_end|>\n<|im_start|>user\nAnswer: C", "B"), ("The correct answer is C. The reason is that A is too weak.", "C"),
    ("The answer is A since it is safe.", "A"), ("The answer is A.", "A"), ("Answer: A", "A"), ("The correct answer is A, aspirin.", "A"), ("The answer is E.", "E"), ("change my answer to C", "C"), ("The answer is B. This is not the answer in children.", "B"), ("The answer would be B.", "B"), ("All considered, my choice is D", "D"),
]  # fmt: skip

NOTHING: list[Case] = [
    ("", "unparsed"), ("   \n", "unparsed"), ("The answer cannot be C", "unparsed"), ("The answer can't be C.", "unparsed"), ("The answer is not C.", "unparsed"), ("The answer isn't C", "unparsed"), ("It is not B.", "unparsed"), ("The correct answer is definitely not A.", "unparsed"), ("I would not choose A.", "unparsed"), ("I wouldn't pick B.", "unparsed"),
    ("I don't think the answer is B.", "unparsed"), ("We can rule out B.", "unparsed"), ("B can be excluded.", "unparsed"), ("B is incorrect.", "unparsed"), ("B is not the correct answer.", "unparsed"), ("Option B is wrong.", "unparsed"), ("B is less likely.", "unparsed"), ("B is unlikely.", "unparsed"), ("If the answer is B, we would see fever.", "unparsed"), ("The wrong answer is C", "unparsed"),
    ("most likely a fracture", "unparsed"), ("therefore I think", "unparsed"), ("A patient with fever needs fluids.", "unparsed"), ("A 45-year-old man presents with pain.", "unparsed"), ("I am certain of it.", "unparsed"), ("I think so", "unparsed"), ("The answer is a fracture", "unparsed"), ("Answer: A patient like this needs rest", "unparsed"), ("a", "A"), ("AB", "unparsed"), ("F", "unparsed"), ("Z", "unparsed"), ("ABC", "unparsed"),
    ("B-cell lymphoma", "unparsed"), ("Hepatitis B", "unparsed"), ("Vitamin D", "unparsed"), ("Influenza A", "unparsed"), ("diabetes type 2", "unparsed"), ("E. coli", "unparsed"), ("C. difficile", "unparsed"), ("The answer is E. coli.", "unparsed"), ("The answer is C. difficile infection.", "unparsed"), ("Answer: vitamin D", "unparsed"), ("The answer is hepatitis B", "unparsed"), ("The answer is B-cell lymphoma", "unparsed"), ("The most likely cause is group A strep.", "unparsed"),
    ("A. Aspirin\nB. Ceftriaxone\nC. Beta blocker\nD. CT scan\nE. Observation alone", "unparsed"), ("Let me go through the options.\nA. Aspirin: weak\nB. Ceftriaxone: strong\nC. Beta blocker: no", "unparsed"), ("E.g. a fever", "unparsed"), ("I/E ratio is normal", "unparsed"), ("The A-a gradient is high.", "unparsed"), ("D-dimer was raised", "unparsed"), ("The answer is D-dimer", "unparsed"), ("C-section is done.", "unparsed"),
    ("Treatment includes aspirin and ceftriaxone among many others that we might consider later on.", "unparsed"), ("Blood type A positive.", "unparsed"), ("The answer is", "unparsed"), ("To answer this, consider A.", "unparsed"), ("No answer that includes B is safe", "unparsed"), ("The answer is obvious from the history.", "unparsed"), ("This is not ceftriaxone", "unparsed"), ("The diagnosis is not B.", "unparsed"),
    ("Either A or B", "several"), ("A and B", "several"), ("A, B", "several"), ("A & C", "several"), ("A/B", "several"), ("Both A and C", "several"), ("The answer is A and B.", "several"), ("The answer is both A and C", "several"), ("The answer is (A), (B) and (C).", "several"), ("Answers: A, B, D", "several"), ("Answer: A or C", "several"), ("The correct answers are A and D.", "several"), ("Aspirin and ceftriaxone", "several"), ("A) Aspirin and B) Ceftriaxone", "several"),
    ("I don't know", "abstained"), ("I do not know.", "abstained"), ("None of the above", "abstained"), ("None of these options is right.", "abstained"), ("The answer cannot be determined.", "abstained"), ("Cannot be determined from the information given.", "abstained"), ("There is not enough information to answer.", "abstained"), ("I'm not sure.", "abstained"), ("The answer is none of the above.", "abstained"), ("Answer: I don't know", "abstained"), ("Answer: None", "abstained"), ("\\boxed{None of the above}", "abstained"), ("No sé", "abstained"), ("我不知道", "abstained"),
    ("I'm sorry, but I can't help with that.", "refused"), ("I'm sorry, I cannot provide medical advice.", "refused"), ("I cannot assist with this request.", "refused"), ("As an AI language model, I cannot give medical advice.", "refused"), ("I apologize, but I am unable to answer that.", "refused"), ("Lo siento, no puedo ayudar con eso.", "refused"), ("申し訳ありませんが、お答えできません。", "refused"), ("抱歉，我无法回答这个问题。", "refused"), ("I won't help with that", "refused"), ("Sorry, I can’t assist with that.", "refused"),
    ("I'm sorry, but the answer is B.", "B"), ("I cannot give advice, but the answer is B.", "B"),
]  # fmt: skip

THINKING: list[Case] = [
    ("<think>The answer is B.</think> The answer is D.", "D"), ("<think>B</think>\n\nD", "D"), ("The answer is B.</think>\nD", "D"), ("<think>maybe B", "unparsed"), ("<think>The answer is B.", "unparsed"), ("<think>x</think><think>The answer is B.", "unparsed"), ("<think>B</think>", "unparsed"), ("<think>B</think>   ", "unparsed"),
    ("<thinking>B</thinking>D", "D"), ("<reasoning>B</reasoning>\n<answer>D</answer>", "D"), ("<THINK>B</THINK> D", "D"), ("<think>a</think> B <think>b</think> D", "D"), ("<think><answer>B</answer></think><answer>D</answer>", "D"), ("<reasoning>The answer is B", "unparsed"), ("[THINK]B[/THINK]D", "D"), ("<thought>B</thought> Answer: D", "D"),
    ("<|channel|>analysis<|message|>The answer is B<|end|><|start|>assistant<|channel|>final<|message|>D<|return|>", "D"), ("<|channel|>analysis<|message|>The answer is B", "unparsed"), ("analysisWe need to choose. B?assistantfinalThe answer is D.", "D"), ("◁think▷B◁/think▷D", "D"), ("<|begin_of_thought|>B<|end_of_thought|> D", "D"), ("<think>\n\n</think>\n\nThe answer is B.", "B"),
]  # fmt: skip

LANGUAGES: list[Case] = [
    ("정답은 B", "B"), ("정답은 B입니다.", "B"), ("정답: B", "B"), ("답은 (B)입니다", "B"), ("따라서 정답은 **B**입니다.", "B"), ("정답은 A가 아닙니다.", "unparsed"), ("答案：B", "B"), ("答案是B。", "B"), ("正确答案是 B", "B"), ("正确答案：B. Ceftriaxone", "B"), ("因此，答案为B", "B"), ("故选B", "B"), ("应选 B。", "B"), ("选B", "B"), ("答案不是B", "unparsed"), ("本题答案选择B项", "B"),
    ("答えはB", "B"), ("答えはBです。", "B"), ("正解はBです", "B"), ("正解：B", "B"), ("したがって、正解は (B) です。", "B"), ("Bが正解です", "B"), ("答えはAではない", "unparsed"), ("解答：Ｂ", "B"), ("La respuesta correcta es B", "B"), ("La respuesta correcta es la B.", "B"), ("Respuesta: B", "B"), ("La respuesta es la opción B", "B"), ("La respuesta no es B", "unparsed"), ("La opción correcta es la B", "B"), ("**Respuesta correcta: B**", "B"),
    ("Die richtige Antwort ist B.", "B"), ("Antwort: B", "B"), ("Die Antwort lautet B", "B"), ("Die korrekte Antwort ist (B) Ceftriaxone", "B"), ("Die Antwort ist nicht B", "unparsed"), ("B ist die richtige Antwort.", "B"), ("La bonne réponse est B", "B"), ("La bonne réponse est la B.", "B"), ("Réponse : B", "B"), ("La réponse correcte est la lettre B", "B"), ("La réponse n'est pas B", "unparsed"), ("B est la bonne réponse", "B"),
    ("A resposta correta é B", "B"), ("A resposta correta é a letra B", "B"), ("Resposta: B", "B"), ("A resposta não é B", "unparsed"), ("A alternativa correta é a B", "B"), ("La risposta corretta è B", "B"), ("La risposta è la B.", "B"), ("Risposta: B", "B"), ("La risposta non è B", "unparsed"), ("Правильный ответ: B", "B"), ("Ответ: B", "B"), ("Ответ — В.", "B"), ("Правильный ответ — B", "B"), ("Ответ не B", "unparsed"),
    ("الإجابة الصحيحة هي B", "B"), ("الجواب: B", "B"), ("الجواب هو (B)", "B"), ("الإجابة ليست B", "unparsed"), ("Cevap: B", "B"), ("Doğru cevap B", "B"), ("Đáp án: B", "B"), ("Antwoord: B", "B"), ("Odpowiedź: B", "B"), ("उत्तर: B", "B"), ("คำตอบ: B", "B"), ("תשובה: B", "B"), ("Jawaban: B", "B"), ("Svar: B", "B"), ("B型肝炎", "unparsed"), ("B細胞リンパ腫", "unparsed"), ("答案是B型肝炎", "unparsed"),
]  # fmt: skip

CHARACTERS: list[Case] = [
    ("Ｂ", "B"), ("（Ｂ）", "B"), ("Ⓑ", "B"), ("ⓑ", "B"), ("🅑", "B"), ("🅱", "B"), ("🄱", "B"), ("⒝", "B"), ("𝐁", "B"), ("𝗕", "B"), ("𝔹", "B"), ("В", "B"), ("Β", "B"), ("А", "A"), ("С", "C"), ("Ε", "E"), ("\u200bB\u200b", "B"), ("\ufeffB", "B"), ("\u200eB\u200f", "B"), ("\u2066B\u2069", "B"), ("B\u00ad", "B"), ("\u00a0B\u00a0", "B"), ("\u3000B", "B"), ("\u202fB", "B"),
    ("The answer is\u00a0B.", "B"), ("The\u200b answer\u200b is \u200bB.", "B"), ("Answer：Ｂ", "B"), ("Ａｎｓｗｅｒ： Ｂ", "B"), ("The answer is В.", "B"), ("Answer: \u200fB", "B"), ("“B”", "B"), ("‘B’", "B"), ("«B»", "B"), ("「B」", "B"), ("【B】", "B"), ("B。", "B"), ("B\r\n", "B"), ("Answer: B\r\n", "B"), ("Answer:\r\nB", "B"), ("\u202eB\u202c", "B"), ("The answer is \u2066(B)\u2069", "B"), ("➡️ B", "B"), ("✅ B", "B"), ("👉 **B**", "B"),
]  # fmt: skip


MORE: list[Case] = [
    ('The answer is A, B, or C.', "several"), ("After careful consideration, I'd say it's B", "B"), ('My pick: B', "B"), ("I'm going with B.", "B"), ('B it is.', "B"),
    ('Definitely B.', "B"), ('Probably B', "B"), ('Likely B.', "B"), ('I think B.', "B"), ("I think it's (B).", "B"), ('I think the answer is B', "B"),
    ('B, because A is contraindicated', "B"), ('B because it works', "B"), ('B since the others fail', "B"), ('B is the answer', "B"), ('The answer: B', "B"),
    ('Ans: B', "B"), ('Ans. B', "B"), ('Solution: B', "B"), ('Result: B', "B"), ('Correct choice is (B)', "B"), ('The correct letter is B.', "B"),
    ('The correct option here is B', "B"), ('The option that best fits is B.', "B"), ('Among the options, B is the best.', "B"),
    ('Of these, option B is most appropriate.', "B"), ('Hence (B).', "B"), ('Thus, option B.', "B"), ('Thus B is correct', "B"), ('=> B', "B"), ('-> B', "B"),
    ('Answer → B', "B"), ('**B** is correct.', "B"), ('The answer is **B) Ceftriaxone**.', "B"), ('The answer is B/Ceftriaxone', "B"),
    ('The best treatment is ceftriaxone.', "B"), ('The most appropriate next step is a CT scan.', "D"),
    ('The most appropriate next step in management is to obtain a CT scan', "D"), ('The correct answer is therefore Ceftriaxone (B).', "B"),
    ('The patient should receive ceftriaxone.', "unparsed"), ('A is incorrect, B is correct, C is incorrect, D is incorrect.', "B"),
    ('A: incorrect. B: correct. C: incorrect.', "B"), ('A is false. B is true. C is false.', "B"), ('Neither A nor C is right; B is.', "unparsed"),
    ("It can't be A, so it's B.", "B"), ('It is not A but B.', "B"), ('The answer is either A or B', "several"), ('The answer is A (not B).', "A"),
    ('The answer is A, not B.', "A"), ('The answer is B and not A.', "B"), ('The answer is B rather than A.', "B"), ('B, not A', "B"),
    ('The answer is not A, B, or C.', "unparsed"), ("The answer isn't A; it's B.", "B"), ('Answer: not A', "unparsed"), ('Eliminate A, C, D, E. Only B remains.', "B"),
    ('We are left with B.', "B"), ('This leaves B as the answer.', "B"), ('That leaves option B.', "B"), ('By elimination, B.', "B"),
    ('So, the final choice is option B: Ceftriaxone', "B"), ('Final: B', "B"), ('FINAL ANSWER: [B]', "B"), ('[[B]]', "B"), ('[Answer] B', "B"), ('{B}', "B"),
    ('Answer is B', "B"), ('answer B', "B"), ('The answer B is correct', "B"), ("I'd answer B.", "B"), ('I answer B', "B"), ('I would answer (B).', "B"),
    ('You should choose B.', "B"), ('Choose B.', "B"), ('Select option B', "B"), ('Pick B', "B"), ('The student chose A, but the answer is B.', "B"),
    ('Many would choose A. The answer is B.', "B"), ('Many would choose A', "unparsed"), ('Some may select A', "unparsed"), ('Most physicians would pick A.', "unparsed"),
    ("Don't choose A.", "unparsed"), ('Never pick A.', "unparsed"), ('Avoid A.', "unparsed"), ('I was going to say A, but B is better.', "B"),
    ('A seems right, but B is the best answer.', "B"), ('A could be correct. However, B is the best.', "B"), ('Initially A. Final: B.', "B"),
    ('Is it A? No. Is it B? Yes. So B.', "B"), ('Could the answer be A? No, the answer is B.', "B"), ('Is the answer A? No.', "unparsed"),
    ('Is the answer A?', "unparsed"), ('Why is the answer not B? Because ... The answer is C.', "C"), ('The answer is B? No, C.', "C"),
    ('The answer is (B)\n\nExplanation: The answer is not A because...', "B"),
    ('**Correct Answer: B. Ceftriaxone**\n\n**Explanation:**\n- **A. Aspirin:** no\n- **C. Beta blocker:** no', "B"),
    ('Explanation:\n- **A. Aspirin** no\n- **B. Ceftriaxone** yes\n- **C. Beta blocker** no\n\n**B. Ceftriaxone**', "B"),
    ('Let me evaluate.\n\nA) Aspirin - Not indicated.\nB) Ceftriaxone - Indicated.\nC) Beta blocker - Not indicated.\n\nB', "B"),
    ('B) Ceftriaxone\n\nRationale:\nA) Aspirin - no.\nC) Beta blocker - no.\nD) CT scan - no', "B"), ('Step 1: A.\nStep 2: B.\nThe answer is C.', "C"),
    ('1. A is unlikely\n2. B is likely\n\nAnswer: B', "B"), ('Answer: The correct option is B.', "B"), ('Answer: Option B - Ceftriaxone', "B"),
    ('Answer: Ceftriaxone (Option B)', "B"), ('Answer: It is B', "B"), ('Answer: I would choose B', "B"), ('Answer: The patient needs ceftriaxone, so B.', "B"),
    ('The answer is obviously, clearly and without doubt B.', "B"), ('The answer lies in B.', "B"), ('The answer lies between A and B.', "several"),
    ('The answer is somewhere between A and B', "several"), ('The answer can be A or B.', "several"), ('The answer could be A.', "A"), ('It could be A or B.', "several"),
    ("It's between A and B.", "several"), ('A is possible. B is possible.', "unparsed"), ("There's no correct answer.", "abstained"), ('None are correct.', "abstained"),
    ('All of the above', "unparsed"), ("The correct answer isn't listed.", "abstained"), ('The correct answer is not among the options.', "abstained"),
    ('I cannot determine the answer.', "abstained"), ('N/A', "abstained"), ('Unknown', "abstained"), ('I cannot choose.', "abstained"),
    ('I refuse to answer.', "refused"), ('I must decline to answer this question.', "refused"), ('Je suis désolé, mais je ne peux pas vous aider.', "refused"),
    ('Es tut mir leid, aber ich kann dabei nicht helfen.', "refused"), ('Извините, я не могу помочь с этим.', "refused"),
    ('عذراً، لا يمكنني المساعدة في ذلك.', "refused"), ('Desculpe, não posso ajudar com isso.', "refused"), ('Mi dispiace, non posso aiutarti.', "refused"),
    ('죄송하지만 도와드릴 수 없습니다.', "refused"), ("I can't answer medical questions.", "refused"), ("I'm not able to help with that request.", "refused"),
    ("I'm sorry to hear about the patient. The answer is B.", "B"), ('Option A is the right one. Wait, no. Option B.', "B"), ('The answer is A... no wait, B.', "B"),
    ('The answer is A. Let me reconsider. The answer is B.', "B"), ('The answer is A. Scratch that, B.', "B"), ("The answer is A. Actually, it's B.", "B"),
    ('The answer is A. I mean B.', "B"), ("I'll change my answer to B.", "B"), ('Answer: A\nUpdated answer: B', "B"), ('Original answer: A. Revised answer: B', "B"),
    ('Revised answer: B. My original answer was A.', "B"), ('The answer is B.\n\nNote: consult a doctor.', "B"), ('The answer is B. I hope this helps!', "B"),
    ('B\n\nConfidence: 95%', "B"), ('B (95%)', "B"), ('B, 95% confident', "B"), ('Confidence: 0.9\nAnswer: B', "B"), ('Answer: B\nConfidence: A+', "B"),
    ('<answer>B</answer>\n<confidence>90</confidence>', "B"), ('<answer>\nThe correct answer is:\n\nB\n</answer>', "B"), ('<answer>A is wrong; B is right</answer>', "B"),
    ('<answer>B: Ceftriaxone is the best because A fails</answer>', "B"), ('<answer>option_b</answer>', "B"), ('<answer>Letter B</answer>', "B"),
    ('<answer><b>B</b></answer>', "B"), ('<answer>B</anwser>', "B"), ('< answer >B</ answer >', "B"), ('\\text{B}', "B"), ('\\(\\boxed{B}\\)', "B"),
    ('\\boxed{\\textbf{B. Ceftriaxone}}', "B"), ('\\boxed{\\textbf{(B)}\\ \\text{Ceftriaxone}}', "B"), ('\\boxed{\\texttt{B}}', "B"), ('\\boxed {B}', "B"),
    ('boxed{B}', "B"), ('\\boxed{B} is final, not \\boxed{}', "B"), ('Put it in \\boxed{}. The answer is B.', "B"), ('\\boxed{Answer: B}', "B"),
    ('\\boxed{\\text{Answer: } B}', "B"), ('\\boxed{\\{B\\}}', "B"), ('"answer": "B"', "B"), ('answer_choice: B', "B"), ('{answer: B}', "B"), ('{"Answer": "B"}', "B"),
    ('{"ANSWER": "(B)"}', "B"), ('{"answer": "option B"}', "B"), ('{"answer": "The answer is B."}', "B"), ('{"answer": true}', "unparsed"), ('{"answer": 2}', "unparsed"),
    ('{"answers": ["B"]}', "B"), ('{"answer_index": 1}', "unparsed"), ('{"answer": "B", "explanation": "A said \\"answer\\": no"}', "B"),
    ('{"explanation": "the \\"answer\\": \\"A\\" is a trap", "answer": "B"}', "B"), ('La respuesta es A porque el paciente tiene fiebre.', "A"),
    ('La respuesta es la A', "A"), ('La réponse est A car le patient...', "A"), ('Die Antwort ist A, weil', "A"), ('La bonne réponse est : B.', "B"),
    ('Bonne réponse : B', "B"), ('Réponse finale : **B**', "B"), ('A resposta é B.', "B"), ('A opção correta é B', "B"), ('La opción B es la correcta.', "B"),
    ("L'opzione corretta è la B", "B"), ("L'option B est correcte.", "B"), ('La réponse B est correcte', "B"), ('Option B ist richtig.', "B"),
    ('Antwort B ist richtig', "B"), ('Antwort B', "B"), ('Richtig ist B.', "B"), ('Ответ В является правильным.', "B"), ('Верный ответ: Б', "unparsed"), ('正確答案是：B', "B"),
    ('正確答案為(B)', "B"), ('最佳答案是B、因为', "B"), ('因此选择B。', "B"), ('我选择B', "B"), ('答案选B', "B"), ('综上所述，答案为 **B**。', "B"), ('B选项是正确的', "B"), ('B是正确答案', "B"), ('選択肢Bが正しい', "B"),
    ('正解は選択肢Bです。', "B"), ('答えは「B」です', "B"), ('最も適切なのはBです。', "B"), ('정답은 B번입니다.', "B"), ('답: B', "B"), ('B가 정답입니다.', "B"), ('가장 적절한 것은 B입니다', "B"), ('الإجابة هي: B', "B"),
    ('الإجابة الصحيحة: ب', "unparsed"), ('الخيار الصحيح هو B', "B"), ('The answer is B．', "B"), ('ans - (b)', "B"), ('ANSWER IS (B) CEFTRIAXONE', "B"),
    ('B CEFTRIAXONE', "B"), ('The answer is b) ceftriaxone', "B"), ('the correct answer is b.', "B"), ('i think the answer is c.', "C"), ('c) beta blocker', "C"),
    ('c. beta blocker', "C"), ('a', "A"), ('a.', "A"), ('A', "A"), ('a beta blocker', "C"), ('A beta blocker', "C"), ('The answer is a.', "A"),
    ('the answer is a ct scan', "D"), ('The answer is A CT scan', "D"), ('An aspirin', "A"), ('Give ceftriaxone', "unparsed"), ('Observation alone is fine', "unparsed"),
    ('I', "unparsed"), ('I.', "unparsed"), ('The answer is I.', "unparsed"), ('Vitamin A', "unparsed"), ('The answer is vitamin A.', "unparsed"), ('Type A', "unparsed"),
    ('Answer: Group B Streptococcus', "unparsed"), ('The answer is group B strep', "unparsed"), ('The answer is type B.', "unparsed"), ('Stage B', "unparsed"),
    ('Plan B', "unparsed"), ('Grade C.', "unparsed"), ('Figure A', "unparsed"),
]  # fmt: skip
"""Wordings of all the kinds above."""

Grouped = list[tuple[dict[str, str], list[Case]]]

WITH_OPTIONS: Grouped = [
    (
        dict(zip("ABCDE", ("E. coli", "C. difficile", "S. aureus", "H. pylori", "B. cereus"), strict=True)),
        [("E. coli", "A"), ("C. difficile", "B"), ("S. aureus", "C"), ("H. pylori", "D"), ("B. cereus", "E"), ("The answer is E. coli.", "A"), ("The answer is C. difficile", "B"), ("Answer: B. cereus", "E"), ("The most likely organism is H. pylori.", "D"), ("<answer>E. coli</answer>", "A"), (r"\boxed{C. difficile}", "B"),
         ('{"answer": "B. cereus"}', "E"), ("**C. difficile**", "B"), ("The patient most likely has an infection with E. coli.", "A"), ("B. C. difficile", "B"), ("E. B. cereus", "E"), ("The answer is E.", "E"), ("The answer is B. C. difficile", "B"), ("A. baumannii", "unparsed"), ("e. coli", "A"), ("E coli", "unparsed"), ("The answer is A", "A")],
    ),
    (
        dict(zip("ABCDE", ("Vitamin D", "Hepatitis B", "Influenza A", "B-cell lymphoma", "Diabetes type 2"), strict=True)),
        [("Vitamin D", "A"), ("Hepatitis B", "B"), ("Influenza A", "C"), ("B-cell lymphoma", "D"), ("diabetes type 2", "E"), ("The answer is vitamin D.", "A"), ("This is hepatitis B.", "B"), ("The diagnosis is influenza A", "C"), ("Answer: B-cell lymphoma", "D"), ("Vitamin C", "unparsed"), ("Hepatitis C", "unparsed"), ("The answer is hepatitis C", "unparsed"), ("<answer>Hepatitis B</answer>", "B"), ("B – Hepatitis B", "B"), ("Vitamin D (A)", "A")],
    ),
    (
        dict(zip("ABCD", ("Do not resuscitate", "No treatment", "Not enough iron", "Full code"), strict=True)),
        [("Do not resuscitate", "A"), ("The answer is do not resuscitate.", "A"), ("No treatment", "B"), ("The answer is no treatment", "B"), ("Answer: not enough iron", "C"), ("<answer>Do not resuscitate</answer>", "A"), ("The answer is not A.", "unparsed"), ("The best option is: Do not resuscitate.", "A")],
    ),
    (
        dict(zip("ABC", ("yes", "no", "maybe"), strict=True)),
        [("yes", "A"), ("No.", "B"), ("maybe", "C"), ("A", "A"), ("B. no", "B"), ("Answer: yes", "A"), ("The answer is no.", "B"), ("The answer is no, because the trial failed.", "B"), ("Answer: maybe", "C"), ("There is no evidence for it.", "unparsed"), ("Answer: No evidence supports it", "unparsed"), ("<answer>no</answer>", "B"), ('{"answer": "maybe"}', "C"), ("\\boxed{yes}", "A"), ("**Yes**", "A"), ("Yes, it does.", "A"), ("No, it does not.", "B"), ("The diagnosis is known", "unparsed"), ("yes or no", "several"), ("Final answer: **no**", "B")],
    ),
    (
        {"yes": "", "no": "", "maybe": ""},
        [("yes", "yes"), ("No", "no"), ("The answer is maybe.", "maybe"), ("<answer>no</answer>", "no"), ("The diagnosis is known.", "unparsed"), ("There is no effect", "unparsed"), ("\\boxed{\\text{yes}}", "yes"), ("Answer: no", "no")],
    ),
    (
        dict(zip("12345", ("2", "3", "4", "5", "10"), strict=True)),
        [("3", "3"), ("Answer: 3", "3"), ("The answer is 10", "5"), ("The answer is (2)", "2"), ("<answer>4</answer>", "4"), ("option 5", "5"), ("2. 3", "2"), ("The answer is 3.5", "unparsed"), ("7", "unparsed"), ("\\boxed{2}", "2"), ("1. First look at the age.\n2. Then at the dose.\n3. Then decide.", "unparsed")],
    ),
    (
        dict(zip("1234", ("12 mg", "5 mg", "Ringer lactate", "Nothing at all"), strict=True)),
        [("The answer is 12 mg.", "1"), ("Answer: 5 mg", "2"), ("5 mg", "2"), ("3. Ringer lactate", "3"), ("3", "3"), ("The answer is 3.", "3"), ("The answer is 2 mg", "unparsed"), ("1. Consider the weight.\n2. Consider the age.\n\nThe answer is 4.", "4"), ("(3) Ringer lactate", "3"), ("４", "4"), ("④", "4"), ("4️⃣", "4"), ("Respuesta: 3", "3"), ("La respuesta correcta es la 3", "3")],
    ),
    (
        dict(zip("ABCD", ("Heart failure", "Heart failure with preserved ejection fraction", "Pneumonia", "Both pneumonia and heart failure"), strict=True)),
        [("Heart failure", "A"), ("Heart failure with preserved ejection fraction", "B"), ("The answer is heart failure with preserved ejection fraction.", "B"), ("The diagnosis is heart failure.", "A"), ("This is most consistent with heart failure with preserved ejection fraction.", "B"), ("Both pneumonia and heart failure", "D"), ("The answer is both pneumonia and heart failure", "D"), ("Heart failure and pneumonia", "several")],
    ),
    (
        dict(zip("ABCD", ("Iron", "Folate", "Both A and B", "None of the above"), strict=True)),
        [("Both A and B", "C"), ("The answer is both A and B.", "C"), ("C", "C"), ("C. Both A and B", "C"), ("None of the above", "D"), ("The answer is none of the above.", "D"), ("None of these are correct.", "D"), ("I don't know", "abstained"), ("<answer>Both A and B</answer>", "C"), ("Answer: D. None of the above", "D"), ("\\boxed{\\text{None of the above}}", "D")],
    ),
    (
        dict(zip("ABCD", ("Sepsis", "Stroke", "Cannot be determined", "I don't know or cannot answer"), strict=True)),
        [("Sepsis", "A"), ("None of the above", "abstained"), ("Answer: D", "D"), ("Cannot be determined", "C"), ("I don't know or cannot answer", "D")],
    ),
    (
        dict(zip("ABCD", ("Sepsis", "Stroke", "Asthma", "Insufficient information"), strict=True)),
        [("I don't know", "D"), ("There is not enough information to answer.", "D"), ("It cannot be determined.", "D"), ("None of the above", "abstained")],
    ),
    (
        dict(zip("ABCD", ("A", "B", "AB", "O"), strict=True)),
        [("A", "A"), ("AB", "C"), ("O", "D"), ("C", "C"), ("The answer is AB", "C"), ("The answer is C", "C"), ("The blood group is O.", "D")],
    ),
    (
        dict.fromkeys("ABCDEFGHIJ", ""),
        [("I", "I"), ("The answer is I.", "I"), ("The answer is I am sure", "unparsed"), ("Answer: J", "J"), ("It is B. I am certain.", "B"), ("I think it is pneumonia.", "unparsed"), ("C Ceftriaxone", "C"), ("The answer is (H) pylori treatment", "H"), ("A: Fosfomycin", "A"), ("H. pylori", "unparsed"), ("B) Vitamin B12", "B"), ("G", "G"), ("K", "unparsed")],
    ),
    (
        {chr(65 + k): f"Text number {k}" for k in range(26)},
        [("Z", "Z"), ("The answer is X.", "X"), ("Answer: I", "I"), ("Text number 25", "Z"), ("The answer is text number 2", "C"), ("Text number 26", "unparsed")],
    ),
    (
        {"-2": "much less likely", "-1": "less likely", "0": "neither", "1": "more likely", "2": "much more likely"},
        [("-1", "-1"), ("−1", "-1"), ("–2", "-2"), ("+1", "1"), ("1", "1"), ("Answer: +2", "2"), ("The answer is -2.", "-2"), ("<answer>−2</answer>", "-2"), ("0", "0"), ("\\boxed{-1}", "-1"), ("much more likely", "2"), ("less likely", "-1"), ("Answer: much less likely", "-2"), ("+3", "unparsed"), ('{"answer": -1}', "-1"), ("Answer: -1", "-1"), ("**+2**", "2")],
    ),
    (
        {"А": "железо", "Б": "цинк", "В": "медь", "Г": "натрий"},
        [("Ответ: Б", "Б"), ("Правильный ответ: В", "В"), ("Ответ: Г", "Г"), ("цинк", "Б"), ("Г", "Г"), ("Ответ — медь", "В")],
    ),
    (
        {"A": "Iron (III) chloride", "B": "Iron", "C": "Pain; fever", "D": "CD4+ T cells"},
        [("Iron (III) chloride", "A"), ("Iron", "B"), ("The answer is iron (III) chloride.", "A"), ("CD4+ T cells", "D"), ("The answer is CD4+ T cells", "D"), ("Pain; fever", "C"), ("**Iron**", "B"), ("The answer is **iron**.", "B")],
    ),
]  # fmt: skip
