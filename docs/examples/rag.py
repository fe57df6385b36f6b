"""Answers questions about web pages: reads them, keeps vectors of their paragraphs, asks a model with the nearest.

    TOLLGATE_KEY=tg_… python3 rag.py "How is a toll collected?" https://example.com/a https://example.com/b

With PYTHONPATH at sdk/python, or `pip install tollgate-client`. EMBEDDING_MODEL and MODEL name other models.
"""

import math
import os
import sys

from tollgate import Tollgate, TollgateError

PARAGRAPHS = 4
AT_ONCE = 64

tollgate = Tollgate()


def first_model(kind: str) -> str:
    models = tollgate.request("GET", f"/models?kind={kind}")["data"]
    return str(models[0]["id"])


def paragraphs_of(url: str) -> list[str]:
    """The paragraphs of a page; none where it cannot be read, which is no reason to give up."""
    try:
        page = tollgate.query("web_read_url", {"url": url})
    except TollgateError as error:
        print(f"{url}: {error.reason}", file=sys.stderr)
        return []
    return [text.strip() for text in page["markdown"].split("\n\n") if len(text.strip()) > 40]


def nearness(a: list[float], b: list[float]) -> float:
    dot = sum(x * y for x, y in zip(a, b))
    return dot / ((math.hypot(*a) * math.hypot(*b)) or 1)


def main(question: str, urls: list[str]) -> None:
    embedding_model = os.environ.get("EMBEDDING_MODEL") or first_model("embedding")
    model = os.environ.get("MODEL") or first_model("chat")
    passages = [(url, text) for url in urls for text in paragraphs_of(url)]
    if not passages:
        sys.exit("Nothing could be read.")
    vectors: list[list[float]] = []
    for start in range(0, len(passages), AT_ONCE):
        vectors += tollgate.embed(embedding_model, [text for _, text in passages[start : start + AT_ONCE]])
    asked = tollgate.embed(embedding_model, [question])[0]
    ranked = sorted(zip(passages, vectors), key=lambda each: -nearness(asked, each[1]))[:PARAGRAPHS]
    context = "\n\n".join(f"[{n}] {url}\n{text}" for n, ((url, text), _) in enumerate(ranked, 1))
    answer = tollgate.chat(
        model,
        [
            {"role": "system", "content": "Answer from the passages alone, and name their numbers. Say where they are silent."},
            {"role": "user", "content": f"{context}\n\nQuestion: {question}"},
        ],
    )
    print(answer["choices"][0]["message"]["content"])
    for n, ((url, _), _) in enumerate(ranked, 1):
        print(f"[{n}] {url}")
    print(f"{answer['service']['credits_charged']} credits for the answer", file=sys.stderr)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
